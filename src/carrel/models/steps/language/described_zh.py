"""Chinese words that only tell of a text to type, and are none: 一段文字, 今天的日期."""

from __future__ import annotations

import re

__all__ = ["DESCRIBED", "LABEL_ONLY", "WORKED_OUT"]

DESCRIBED = re.compile(
    r"(?:一些|任意|随便|随机|[一两二三四五六七八九十\d]+)?\s*[个行段句条]?的?(?:文字|文本|内容|话|字符|数字)|"
    r"(?:相关|基本|必填|正确|完整|所有|其他|个人|注册|登录)?的?(?:信息|资料|表单|必填项|数据)|"
    r"一[个段串条][^\ue000-\uf8ff]*的[\u3400-\u9fff]+|的.+|"
    r"(?:长度)?(?:超过|少于|多于|大于|小于|不足|不到)[^\ue000-\uf8ff]*的[\u3400-\u9fff]+|"
    r"(?:今天|今日|当天|明天|昨天|当前|现在)的?(?:日期|时间|年份|月份)|"
    r"(?:错误|正确|已注册|不存在|无效|过长|过短|重复|非法|合法|特殊)的[\u3400-\u9fff]+"
)
WORKED_OUT = re.compile(r"[^\ue000-\uf8ff]+(?:的|之)(?:总?和|平均值|均值|差|乘?积|最大值|最小值)")
LABEL_ONLY = re.compile(
    r"(?:新|旧|原|登录|支付|短信|图形|手机|你的|您的|我的)?的?"
    r"(?:密码|口令|用户名|账号|账户|验证码|邮箱|邮箱地址|手机号码?|电话号码|身份证号码?|关键[字词])"
)
"""What a field is for, and no text: 输入密码."""
