"""Chinese manners and connecting words, which ask for nothing themselves."""

from __future__ import annotations

import re

from carrel.models.steps.language.heads_zh import VERBS
from carrel.models.steps.language.numbers import NUMBER

__all__ = ["bare_zh"]

_MANNERS = re.compile(
    r"^(?:(?:页面|网页|屏幕|画面)(?=[往向朝][上下左右][翻滚滑拉移])|(?:用|使用|通过|在)?键盘(?:上)?(?:的)?(?=[输按敲键打])|(?:用|使用|通过)键盘(?:上)?(?=[输按敲键打])|(?:用|使用|通过)?鼠标(?:滚轮)?(?=[把将点单双右拖左从向往滚])|"
    r"重新(?=输|填|键入|选|点|单击|打开|搜索|勾|提交|登录|进入|查询|录入|设置|上传|编写|写)|手动(?=输|填|选|点|勾|刷)|"
    rf"重复(?=(?:点|单|双|按)[^，,]*?(?:{NUMBER})\s*[次下遍]$)|"
    r"继续(?=点|输|填|按|选|滚|勾|往|向|单|双|拖|等)|(?:尝试|试着|试图|试一下)(?=[^，,]{2,})|快速(?=点|双|单|按|连)|立即(?=点|单|按|刷)|"
    r"阅读(?:并|后)(?=勾选|同意|点)|(?:并)?同意并(?=勾选|点)|"
    r"仔细(?=检查|核对|确认)|此时|这时候?|此刻|下一步(?=[，,：:])|步骤\s*[\d一二三四五六七八九十]+(?=[\s，,：:.、])|"
    r"用户(?=点击|输入|选择|勾选|填写)|请(?![假求购款帖教])你?|麻烦你?|帮我|帮忙|劳驾|你好|您好|谢谢|首先|第[一二三四五六七八九十\d]+步|其次|接下来|紧接着|接着|然后|之后|随后|最后(?!一|的|[登更修访])|最终(?!用|价|版)|再(?:次(?!输入[框密])|一次)?|并且|并(?![列行发集])|同时(?!段)|一路(?=点)|也就是(?=点|按|选|输)|(?:一直|不断地?|不停地?|持续|反复)(?=[往向滚翻滑])|依次(?!(?:选|展开|打开|点开))|逐个|逐一|挨个|分别|直接|此外|顺便|现在(?!的)|我要|我想|"
    r"你需要|需要(?!的|[^，,]{2,8}时)|我们|给我|先(?![生前后锋进])|而后|就(?![诊业职读餐近绪医地任学])|另外(?!的)|"
    r"(?:执行|进行)(?=点击|勾选|删除|取消|双击|右击|选择|编辑)|\d+[.、)）]|[-*•])[\s，,：:！!]*"
)
_TAIL = re.compile(
    r"(?:谢谢你?|吧|即可|好吗|可以吗|行吗|就行|就好|就可以了?)?[\s。.！!？?；;，,、]*$"
)


def bare_zh(text: str) -> str:
    """Without manners and connecting words at the ends."""
    text = text.strip()
    while True:
        shorter = _TAIL.sub("", _MANNERS.sub("", text)).strip()
        if shorter == text or not shorter:
            return text if not shorter and VERBS.match(text) else shorter
        text = shorter
