"""Chinese that no rule was written for: what a name holds, where clauses end, what is meant."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from corpora import corpus, is_refused, is_unclear, written
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence
from carrel.models.steps.language.chinese.clauses import joints_zh
from carrel.models.steps.language.chinese.nouns import stray
from carrel.models.steps.language.chinese.plainly import plainly_zh


@pytest.mark.parametrize(("said", "steps"), corpus("chinese_freely.txt"))
def test_a_sentence_is_read_as_it_is_meant(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "phrase",
    [
        "提交订单",
        "立即购买",
        "双面打印",
        "最近登录时间",
        "商品搜索框",
        "文件管理器",
        '标题为"周报"的链接',
        '"手机号"不能为空的提示',
        '"周会"那一行的编辑图标',
        "弹出的对话框里的确定按钮",
        "价格最低的那个航班",
        "确认对话框里的“好”",
        "下一步按钮",
        "树节点“前端组”",
        "“第一项”之后",
        "您对我们的服务是否满意",
    ],
)
def test_words_that_call_a_thing_are_all_its_name(phrase: str) -> None:
    assert stray(phrase) == ""


@pytest.mark.parametrize(
    ("phrase", "behind"),
    [
        ('"a.txt"将其打开', "将其打开"),
        ("第一张图的标题进入相册", "进入相册"),
        ("底部的加号新建相册", "新建相册"),
        ("复选框以全选所有记录", "以全选所有记录"),
        ("该按钮现在", "现在"),
        ("图片进入全屏", "进入全屏"),
        ("照片全部选中", "全部选中"),
        ("第 2 行末尾加上“完”", "加上…"),
        ("角标应由 4", "应由 4"),
        ("标题栏让窗口变大", "让窗口变大"),
        ("去", "去"),
        ("的提示", "的提示"),
        ("里面里的商品", "里面里的商品"),
        ("三秒后", "三秒后"),
        ("检查“提交”按钮", "检查“提交”按钮"),
        ("在列表里的“陈晨”", "在列表里的“陈晨”"),
        ("“甲”“乙”这两项", "……这两项"),
    ],
)
def test_what_goes_on_behind_a_name_is_no_part_of_it(phrase: str, behind: str) -> None:
    assert stray(phrase) == behind


@pytest.mark.parametrize(
    "said",
    [
        "列表条数应等于 {N} 减 1",
        "第一行的价格应该不高于第二行的",
        "跳过第 4 题直接点下一页",
        "查询日期从 2024-01-01 到 2024-01-31",
        "另存为 PNG 格式，文件名叫 logo",
        "将群“讨论组”置顶：右击它",
        "画面上应有雪花飘过",
        "“登录”按钮在填完密码之前应为不可点状态",
        "在弹框里把滑块往右拖到头",
        "验证“库存”列中没有任何一个单元格显示“0”",
        "共享屏幕时勾选“共享声音”",
        "新标签页里打开第二条结果",
        "电量低于 20% 时图标应为红色",
    ],
)
def test_what_no_rule_can_tell_is_refused(said: str) -> None:
    assert is_refused(said)


@pytest.mark.parametrize(
    ("claim", "plain"),
    [
        ("“保存”按钮现在应该可用", "“保存”按钮可用"),
        ("有没有“甲”", "有“甲”"),
        ("合计是不是超过 9", "合计超过 9"),
        ("里面应有“甲”", "有“甲”"),
        ("跳转后的页面标题是“甲”", "页面标题是“甲”"),
    ],
)
def test_a_claim_is_put_into_plain_words(claim: str, plain: str) -> None:
    masked = {"“": "\ue000"}
    assert plainly_zh(claim) == plain or plainly_zh(re.sub("“.+?”", masked["“"], claim)) == re.sub(
        "“.+?”", masked["“"], plain
    )


def test_no_joint_lies_inside_a_word() -> None:
    for word in ("对话框", "而且", "不能再", "后台", "最后", "以及", "参与", "总和", "并列"):
        text = f"甲{word}乙"
        for joint in joints_zh(text):
            said = joint[0].strip()
            assert said == word or text.index(word) + len(word) <= joint.start()


def _plain_sentences() -> list[str]:
    """Everyday sentences that stand for themselves: no reach over others, nothing referred to."""
    reach = re.compile(
        r"如果|若|假如|直到|重复|每|除|当|它|其|她|他|该|这个|否则|[。；？]|不要|别|所有|全部|刚才|再|次$|逐|循环|"
        r"^在|^从|^打开|，|、|和|命名|复制|改为|替换|登录|填|记|告诉|多少|确认密码"
    )
    return [said for said, _ in corpus("chinese_daily.txt") if not reach.search(said)]


_PLAIN = _plain_sentences()


@settings(max_examples=120, deadline=None, derandomize=True)
@given(
    st.lists(st.sampled_from(_PLAIN), min_size=2, max_size=3, unique=True),
    st.sampled_from(["，然后", "，接着", "，随后", "，再", "，"]),
)
def test_instructions_one_after_another_are_read_as_each_alone(said: list[str], joint: str) -> None:
    together = read_sentence(joint.join(said)).steps
    if any(map(is_unclear, together)):
        return  # Where they could mean something else together, nothing is done.
    alone = tuple(step for one in said for step in read_sentence(one).steps)
    assert _one_by_one(together) == _one_by_one(alone)


def _one_by_one(steps: tuple[p.Step, ...]) -> list[object]:
    """The steps, and of those that check only the claims: they may be joined or not."""
    found: list[object] = []
    for step in steps:
        claims = _each(step.condition) if isinstance(step, p.Check) and not step.place else None
        found += [replace(step, words="")] if claims is None else claims
    return found


_ALONE = [line for line in _PLAIN if not re.search(r"后|前|的话|就|用", line)]


def _bare(steps: tuple[p.Step, ...]) -> list[p.Step]:
    return [replace(step, words="") for step in steps]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.sampled_from(_ALONE))
def test_what_stands_around_an_instruction_changes_nothing_of_it(said: str) -> None:
    alone = _bare(read_sentence(said).steps)
    (supposed,) = read_sentence(f"如果看到“提示”，就{said}").steps
    assert is_unclear(supposed) or (isinstance(supposed, p.If) and _bare(supposed.then) == alone)
    placed = _bare(read_sentence(f"在“甲乙”弹窗中，{said}").steps)
    there = [one if one.place else replace(one, place='"甲乙"弹窗') for one in alone]
    assert any(map(is_unclear, placed)) or placed == there
    after = _bare(read_sentence(f"点“甲乙”后{said}").steps)
    assert any(map(is_unclear, after)) or after == [p.Point('"甲乙"'), *alone]


def _claims() -> dict[str, p.Condition]:
    """Plain claims of the everyday sentences, without the word that asks for them."""
    found = {}
    for line, _ in corpus("chinese_daily.txt"):
        said = re.match(r"(?:验证|检查|确认|断言|确保)(?!码)(?P<claim>[^，、]+)$", line)
        if said is None or re.search(r"是否|或|秒|如果|它|其|该|行|回到|已选", line):
            continue
        steps = read_sentence(line).steps
        if len(steps) == 1 and isinstance(steps[0], p.Check):
            found[said["claim"]] = steps[0].condition
    return found


_CLAIMS = _claims()


def _each(condition: p.Condition) -> list[p.Condition]:
    if isinstance(condition, p.Every) and not condition.any:
        return [one for inner in condition.conditions for one in _each(inner)]
    return [condition]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    st.lists(st.sampled_from(sorted(_CLAIMS)), min_size=2, max_size=3, unique=True),
    st.sampled_from(["，并且", "，而且", "，且", "，但", "，同时", "，"]),
)
def test_claims_joined_are_each_claimed(claims: list[str], joint: str) -> None:
    steps = read_sentence("验证" + joint.join(claims)).steps
    if any(map(is_unclear, steps)):
        return
    read = [one for step in steps if isinstance(step, p.Check) for one in _each(step.condition)]
    assert read == [one for claim in claims for one in _each(_CLAIMS[claim])]
