"""Chinese as people say it at work: one table of sentences, and what must stay refused."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence
from carrel.models.steps.language.atoms import Atoms
from carrel.models.steps.language.chinese.conditions import read_condition_zh
from carrel.models.steps.language.chinese.modals import is_supposed, topic_of, without_modals
from carrel.models.steps.language.chinese.nouns import is_noun, stray
from carrel.models.steps.language.chinese.point import numbered
from carrel.models.steps.language.chinese.predicates import compared_zh
from carrel.models.steps.language.chinese.wording import as_said, worded_zh
from carrel.models.steps.language.talk import Talk


@pytest.mark.parametrize(("said", "steps"), corpus("chinese_at_work.txt"))
def test_a_sentence_at_work_is_read_as_it_is_meant(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "页面应记得上次的选择",
        "标题不应被挡住",
        "总价应为 {p1} 加 {p2}",
        "第一行的价格应低于第二行的价格",
        "机器人应在 5 秒内回复",
        "点左边缩略图，右边大图应跟着切换",
        "双击音乐列表第五首，等进度条动起来",
        "断网以后点“刷新”，要有错误提示",
        "把音量调低一点",
        "不要勾选“保存密码”",
        "切到另一个窗口",
        "在“备注”里粘贴一段 500 字的文字",
        "人数填 20，座位另排，点“预定”",
        "如果左侧没有“权限管理”这个菜单，就联系管理员",
        "切换每页显示 100 条",
        "密码框输入内容后应显示为圆点",
        "连续答错三次，测验应被锁住",
        "重复上述步骤两次",
        "查询日期从 2026-01-01 到 2026-01-31",
        "第二张图片的标题不能和第一张相同",
        # Loose talk that says too little, or goes on within each.
        "未读消息一条条点开，点“归档”",
        "全部删掉",
        "弹窗自动关了",
        "记录被删掉",
        "声音调小点",
        "C 列往下拉填充到第 8 行",
        "上传列表里应该还剩三个没传完",
        "验证出发地北京南",
        "只看未读，点第一封",
        "在画布上滚轮放大两级",
        "点击左上角…不是右上角",
        "库存少于 5 才会显示“补货”",
    ],
)
def test_what_cannot_be_told_or_seen_is_refused(said: str) -> None:
    assert is_refused(said)


@pytest.mark.parametrize(
    ("said", "worded"),
    [
        ("密码敲 abc", "密码输入 abc"),
        ("敲一下回车", "按回车"),
        ("敲 df -h 回车", "输入 df -h，按回车"),
        ("戳加号", "点击加号"),
        ("右键文件名", "右键点击文件名"),
        ("贴到便签里", "粘贴到便签里"),
        ("跑一下 make", "运行 make"),
        ("把最后一行念给我听", "把最后一行告诉我"),
        ("等图表加载好再导出", "等图表加载好，导出"),
        ("按时间倒序排列", "按时间降序排列"),
        ("麦克风关了吧", "把麦克风关掉"),
        ("备注记得写一句", "备注写一句"),
        ("把地图缩小三档", "把地图缩小三次"),
        ("出发地武汉，点查询", "出发地设为武汉，点查询"),
        ("等图标亮完就点它", "等图标亮完，点它"),
        # Nouns that only hold such a letter.
        ("点击便利贴", "点击便利贴"),
        ("体重填 65", "体重填 65"),
        ("点击“右键菜单”", "点击“右键菜单”"),
        ("输出框", "输出框"),
        ("右键删除按钮", "右键点击删除按钮"),
        ("页面应记得选择", "页面应记得选择"),
        ("目的地不能为空", "目的地不能为空"),
        ("目的地机场，终点站", "目的地机场，终点站"),
    ],
)
def test_one_act_is_read_in_one_wording(said: str, worded: str) -> None:
    assert worded_zh(said, Talk(Atoms(), chinese=True)) == worded


def test_a_report_keeps_the_words_of_the_person() -> None:
    steps = read_sentence("密码敲 abc，戳一下“登录”").steps
    assert [step.words for step in steps] == ["密码敲 abc", "戳一下“登录”"]
    kept = as_said([p.Press(("enter",), words="按回车")], "先按回车", "先敲一下回车")
    assert [step.words for step in kept] == ["敲一下回车"]


@settings(max_examples=200, deadline=None)
@given(st.text("敲戳贴粘跑念输打右键回车等后再把每都留空， 「」“”ab1{}", max_size=24))
def test_a_wording_is_put_into_plain_words_once(text: str) -> None:
    talk = Talk(Atoms(), chinese=True)
    once = worded_zh(talk.atoms.mask(text), talk)
    assert len(worded_zh(once, talk)) <= 3 * len(text) + 12


@pytest.mark.parametrize(
    ("claim", "plain"),
    [
        ("标题应该是甲", "标题是甲"),
        ("列表里不应再有乙", "列表里没有乙"),
        ("按钮要显示丙", "按钮显示丙"),
        ("金额不能为空", "金额不为空"),
        ("昵称应改为丁", "昵称为丁"),
        ("应用列表", "应用列表"),
        ("应还日期", "应还日期"),
    ],
)
def test_how_sure_a_claim_is_says_nothing_of_it(claim: str, plain: str) -> None:
    assert without_modals(claim) == plain
    assert is_supposed(claim) == (claim != plain)


def test_what_is_supposed_has_a_topic() -> None:
    assert topic_of("状态栏应显示甲") == "状态栏"
    assert topic_of("状态栏") == "状态栏"


@pytest.mark.parametrize(
    ("claim", "condition"),
    [
        ("状态与 {old} 相同", p.Has("状态", "{old}", "equals")),
        ("状态和 {old} 不一致", p.Not(p.Has("状态", "{old}", "equals"))),
        ("搜索结果不少于 5 条", p.Count("搜索结果", 5, "least")),
        ("警告不超过两个", p.Count("警告", 2, "most")),
        ("任务少于 3 个", p.Count("任务", 2, "most")),
        ("“甲”排在最后", p.Has("最后一项", "甲")),
        ("“甲”排在第 2 行", p.Has("第2行", "甲")),
        ("圆点变绿", p.Shows("绿色的圆点")),
        ("步骤条停在第二步", p.Is("步骤条里的第二步", "selected")),
    ],
)
def test_a_predicate_says_one_thing_of_its_topic(claim: str, condition: p.Condition) -> None:
    atoms = Atoms()
    assert read_condition_zh(atoms.mask(claim), atoms) == condition


def test_two_things_can_be_compared() -> None:
    assert compared_zh("应付金额和实付金额一致") == ("应付金额", "实付金额", True)
    assert compared_zh("内容与输入的一致") is None


@pytest.mark.parametrize(
    ("phrase", "lost"),
    [
        ("终端粘贴", "粘贴"),
        ("× 关闭弹窗", "关闭弹窗"),
        ("进度条动起来", "进度条动起来"),
        ("Cancel 取消", ""),
        ("最近登录时间", ""),
        ("该申请", ""),
    ],
)
def test_a_name_holds_no_act(phrase: str, lost: str) -> None:
    assert stray(phrase).strip() == lost


def test_a_noun_may_begin_like_a_verb() -> None:
    assert is_noun("查询结果")
    assert not is_noun("点击保存")


def test_numbers_share_their_noun() -> None:
    assert numbered("第2、4行") == "第2行、第4行"
    assert numbered("第 2 到第 4 行") == "第2行、第3行、第4行"
    assert numbered("第一个和最后一个文件") == "第一个文件、最后一个文件"
    assert numbered("保存") == "保存"
