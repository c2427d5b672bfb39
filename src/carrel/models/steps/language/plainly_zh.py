"""A Chinese claim in the plain words that the rules of conditions know.

People say when, how surely and how something is so (此时, 确实, 重新), ask instead of claiming
(是不是, 有没有), and say one state in many ways (灰的, 点不了). A picture of now tells none of that
apart, so all of it is put into the same words here, before any rule reads the claim.
"""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY
from carrel.models.steps.language.modals_zh import without_modals
from carrel.models.steps.language.numbers import NUMBER

__all__ = ["plainly_zh"]

_SAYS_SO = (
    r"(?=应|会|是|为(?!止)|有|没|无|不|未|显示|出现|弹|变|处于|被|勾|选中|可[见用点以]|能|包含|含|消失|存在|隐藏|"
    r"展开|收起|等于|在|位于|大于|小于|超过|共|只|停|已|仍|还|置灰|打开|开启|关闭|启用|禁用|高亮)"
)
# When it is so, of which a picture of now tells nothing more.
_LATELY = re.compile(
    rf"(?:(?<={ANY})|(?<=[框钮窗]))\s*(?:已经|已|还|仍然|仍旧|仍|依然|目前|现在|当前|都|也)"
    r"(?=没|不|未|显示|出现|可见|存在|能看|可以看)"
)
_HOW = re.compile(
    r"(?<=[^\s，,、])(?:此时|这时候?|此刻|现在|目前|随后|随即|立刻|立即|马上|重新|默认|依旧|最终|始终|"
    rf"确实|同步|相应地?|实时|当前|也|同时|会?自动|随之|跟着)+{_SAYS_SO}"
)
_THERE = re.compile(
    rf"^(?:里面|里头)的(?=[^，,]+(?:是|为|显示|等于|包含))|^(?:里面|其中|那里|这里|此处|其|里头)的?(?:现在|此时|也|还)*(?=应|必|有|没|能|出现|显示|会|只|共|不|看|包含|{NUMBER})"
)
_SEES_NOT = re.compile(
    r"(?<!提示)(?<!显示)(?:已经?|再也?|也|都|应该?|应当)*(?:看不[到见]|[找查搜见]不到|没有?(?:看见|找到))(?:任何)?"
)
_UNSEEN = re.compile(
    rf"(?<={ANY})(?:已经?|再也?|也|都|应该?|应当)*(?:看不[到见]|[找查搜见]不到)(?:了)?$"
)
_OUT = {"弹": "出现", "列": "显示"}
_GREYED = re.compile(
    r"(?:是|为|呈|处于|变[成为]?)*(?:灰色?的?)?(?:[、，,]|且|并且)?(?:不可以?|不能|无法|不让|没法)(?:再|被|继续)?点击?"
    r"(?:的)?(?:状态)?$|(?:是|呈|为|变成?|变为)(?:灰色?)的$|点不了$|点不动$"
)
_FREE = re.compile(
    r"(?:是|为|处于|变[成为]?)*(?:可以?|能够?)(?:正常|再)?点(?:击)?(?:的)?(?:状态)?了?$"
)
_BECAME = re.compile(
    rf"(?:刷新|更新|变|增加|减少|恢复|缩减|扩展)(?:为|成|到)了?\s*(?={NUMBER}\s*[行个条项张件列封份])"
)
_SAID_TO_BE = re.compile(r"(显示|写|提示|标注)(?:着|出)?的(?:文字|内容)?(?:应该?)?[是为](?=.)")
_WORDS = re.compile(
    rf"({ANY})\s*(?:这|那)?(?:[一两二三四五六七八九十几\d]+)?个?(?:字样?|汉字|文字|单词|字符)(?=$|[，,、]|出现|显示|在|可见)"
)


_SAYINGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(words), plain)
    for words, plain in (
        (
            r"^(?:系统|程序|软件|平台|网站|应用|网页)(?=应|会|弹|提示|显示|出现|报|不|没)(?=[^，,]*[\ue000-\ue7ff])",
            "",
        ),
        (r"有没有", "有"),
        (r"^无(?=[\u3400-\u9fff]{2,8}$)", "没有"),
        (r"(?<=.)(?:变[成为]|显示为|处于|是|为)已选中?(?:状态|的)?$", "已选中"),
        (r"(?<=.)(?:仍然?|依然|依旧)?还是(?=\s*(?:[\ue000-\uebff\uf500-\uf8ff]|[\d¥￥$]))", "是"),
        (
            r"^(?P<what>[^，,]*(?:[\ue000-\ue7ff]|开关|模式|功能|通知|提醒|推送|蓝牙|同步))(?:还)?(?:没有?|未)(?:打)?(?P<how>开|关)(?:着|启|上)?$",
            r"\g<what>没有\g<how>着",
        ),
        (
            r"^(?P<what>[^，,]*(?:[\ue000-\ue7ff]|开关|模式|通知|推送|蓝牙))(?:已经?)?(?P<how>开|关)(?:了|掉)$",
            r"\g<what>是\g<how>着的",
        ),
        (
            r"^(?:还|都)?(?:没有?|未)(?:被)?(?P<state>选中|勾选)任何(?:一[个项])?的?(?P<what>[\u3400-\u9fff]{1,8})$",
            r"所有\g<what>都没有\g<state>",
        ),
        (
            r"^(?:没有|无)任何(?:一[个项])?的?(?P<what>[\u3400-\u9fff]{1,8}?)(?:被|是|处于)(?P<state>选中|勾选)(?:状态|的)?$",
            r"所有\g<what>都没有\g<state>",
        ),
        (
            r"^(?:还)?(?P<no>没有?|未|已经?)(?P<state>勾选|选中|启用|展开|开启)(?P<what>[\u3400-\u9fff]{0,6}[\ue000-\ue7ff])$",
            r"\g<what>\g<no>\g<state>",
        ),
        (r"有多(?P<u>[个条项封张件])(?=[\u3400-\u9fff\ue000-\ue7ff])", r"有至少 2 \g<u>"),
        (r"(?<=[时数值度量])(?:变到|到了?|归)(?=\s*\d+$)", "为"),
        (r"(?<=[上里中内])(?P<day>今天|今日|明天|昨天)(?:已经?)?有", r"的\g<day>里有"),
        (r"(?<=.)已经?有(?=[^，,的]*[\ue000-\ue7ff])", "有"),
        (r"(?<=包含|含有)了?(?:文字|文本|字样|内容|字符串?|关键[字词])(?=\s*[\ue000-\ue7ff])", ""),
        (r"^(?:此时|这时候?|此刻|现在|目前|随后|之后|然后|接着|默认)+(?=[^，,的])", ""),
        (r"(既[^，,]+?)[，,]?\s*[也又](?=[没不有显出包])", r"\1又"),
        # 跳转后的页面标题: of what is there now.
        (r"^(?:跳转|打开|弹出|加载|点击|切换|提交|登录|刷新|返回)(?:之|以)?后的(?=.)", ""),
        (
            r"有(?:一)?(?:个|行|条|段|张|处)(?=[^，,]*[\ue000-\ue7ff]|[红绿蓝黄灰]色)(?:小字|文字|提示)?",
            "有",
        ),
        (r"(?<=[\ue000-\ue7ff])那[里儿]", ""),
        (r"(?:已经?|应该?|都|也)*没有?了$", "消失"),
        (r"在不在", "在"),
        (r"(?<=.)(?:变回|恢复(?:为|成|到)?|回到|改回)了?(?=\s*[\ue000-\ue7ff])", "变为"),
        (r"是(关|开)(?:着)?的$", r"是\1着的"),
        (r"(?:还|尚|仍)(?:没有?|未)(?=出来|出现|显示|弹出|加载|消失|可见)", "没有"),
        (r"没有(?:出来|弹出来?)$", "没有出现"),
        (r"(?<=.)(至少|最多|至多|恰好|正好|只)(应该|应当|应|必须)(?=有)", r"\2\1"),
        # 应由 4 变为 3: what it was before is not seen any more.
        (
            rf"(?:由|从)\s*(?:{ANY}|-?{NUMBER}[^，,变]{{0,3}}|[^，,变]{{1,8}}?)\s*(?=变[为成]|更新为|增加到|减少到)",
            "",
        ),
        (
            r"(?:自动)?(?:算|计算|换算|更新|识别|填充|填|增加|减少|增|减|恢复)(?:成|为|到|出)(?=\s*[^行])",
            "为",
        ),
        (r"(?<=[^\d从由缩放调拖拉升降设改])(?:已经?)?(?:达到?|到达?)(?=\s*\d+\s*[%％]$)", "为"),
        (
            r"(?<=.)(?:要|应该?)?(?:标|(?<!备)(?<!附)注|标注)(?:着|有|明)?(?=[\ue000-\ue7ff])",
            "显示",
        ),
        (
            r"^(上方|下方|旁边|上面|下面|左侧|右侧|左边|右边|顶部|底部)(?:应该?|会)?(?:写着|标着)(?=[\ue000-\ue7ff])",
            r"\1显示",
        ),
        (
            r"(?:不能|不可以?|无法)(?:再|被)?(?:修改|编辑|更改|输入)(?:的)?$|(?:是|为)?只读(?:的)?$",
            "不可用",
        ),
        (r"(.+?)(?:上|里|中)?(?:应该|应当|应)?高亮(?:着|显示)?(第\s*\d+\s*页)$", r"当前是\2"),
        (r"(?:是否)?(?:存在|保存)(?:于|在)(.+?(?:文件夹|目录))(?:里|中|下)?$", r"在\1里"),
    )
)


def plainly_zh(claim: str) -> str:
    """The masked claim, in the words that the rules know."""
    bare = _BECAME.sub("有", without_modals(claim))
    for words, plain in _SAYINGS:
        bare = words.sub(plain, bare)
    bare = re.sub(
        r"是不是(?=超过|大于|小于|高于|低于|多于|少于|能|有|被|已|在|处于|包含|等于|可|不|没|变)",
        "",
        bare,
    )
    bare = _LATELY.sub("", re.sub(r"是否(?:已经?)?", "", re.sub(r"是不是", "是", bare)))
    bare = _THERE.sub("", _HOW.sub("", bare))
    bare = _BECAME.sub("有", _SAID_TO_BE.sub(r"\1", _WORDS.sub(r"\1", bare)))
    if len(plain := _GREYED.sub("不可点击", bare)) > len("不可点击"):
        bare = plain
    if not re.search(r"不(?:可以?|能)?$", bare[: -len("可点击")]) and "不可点击" not in bare:
        bare = _FREE.sub("可点击", bare)
    bare = _UNSEEN.sub("不可见", bare) if _UNSEEN.search(bare) else _SEES_NOT.sub("没看到", bare)
    bare = re.sub(rf"({ANY}|[不未没有]再?(?:显示|出现|可见|存在))(?:了|啦|呢)$", r"\1", bare)
    bare = re.sub(rf"({ANY})(?:还|仍然|仍|依然)在$", r"\1可见", bare)
    bare = re.sub(rf"({ANY})没有了$", r"\1消失", bare)
    return re.sub(
        r"(显示|列|弹|加载)出来(?:了)?$", lambda found: _OUT.get(found[1], found[1]), bare
    )
