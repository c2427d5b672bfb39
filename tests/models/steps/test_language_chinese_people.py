"""Chinese instructions as office workers and testers write them, each with what it asks for."""

from __future__ import annotations

import dataclasses
import datetime

import pytest

from carrel.models.steps import program as p
from carrel.models.steps.language import read_file, read_sentence
from carrel.models.steps.language.chinese.days import day_from


def _day(words: str) -> str:
    day = day_from(words, datetime.datetime.now().astimezone().date())
    assert day is not None
    return day.isoformat()


def _bare(step: p.Step) -> p.Step:
    inner = {
        name: tuple(_bare(one) for one in getattr(step, name))
        for name in ("body", "then", "otherwise")
        if hasattr(step, name)
    }
    return dataclasses.replace(step, words="", line=0, **inner)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "姓名填张三，部门选研发部，入职日期选2026年12月24日，备注留空。",
            [
                p.Enter("张三", "姓名"),
                p.Choose(("研发部",), "部门"),
                p.PickDate("2026年12月24日", "2026-12-24", "入职日期"),
                p.Check(p.Is("备注", "empty")),
            ],
        ),
        (
            "把“蓝牙耳机”加入购物车，然后去结算。",
            [p.Perform("add", '"蓝牙耳机"', (("to", "购物车"),)), p.Point("去结算")],
        ),
        (
            "购物车里把数量改成3，再点更新。",
            [p.SetValue("数量", "3", place="购物车"), p.Point("更新")],
        ),
        ("在搜索框里输入“机械键盘”并回车。", [p.Enter("机械键盘", "搜索框"), p.Press(("enter",))]),
        (
            "按价格从低到高排序，打开第一个商品。",
            [
                p.Perform("sort", details=(("by", "价格"), ("order", "ascending"))),
                p.Open("第一个商品"),
            ],
        ),
        (
            "如果看到“缺货”，就点“到货通知”，否则点“立即购买”。",
            [p.If(p.Shows('"缺货"'), (p.Point('"到货通知"'),), (p.Point('"立即购买"'),))],
        ),
        (
            "给李雷写一封邮件，主题填“周会改期”，正文写“周会改到周四下午三点”，然后发送。",
            [
                p.Perform("email", details=(("to", "李雷"),)),
                p.Enter("周会改期", "主题"),
                p.Enter("周会改到周四下午三点", "正文"),
                p.Perform("send"),
            ],
        ),
        (
            "打开第二封邮件，点回复，写上“收到”，点发送。",
            [p.Open("第二封邮件"), p.Point("回复"), p.Enter("收到"), p.Point("发送")],
        ),
        ("把“发票.pdf”下载下来。", [p.Perform("download", '"发票.pdf"')]),
        (
            "把 notes.txt 重命名为 旧笔记.txt",
            [p.Perform("rename", "notes.txt", (("to", "旧笔记.txt"),))],
        ),
        ("删掉最后一行。", [p.Perform("delete", "最后一行")]),
        (
            "表格第二行的价格应该是 ¥356.50",
            [p.Check(p.Has("表格第二行的价格", "¥356.50", "equals"))],
        ),
        ("确认页面上出现了“提交成功”", [p.Check(p.Shows('"提交成功"'))]),
        ("验证“保存”按钮被禁用", [p.Check(p.Not(p.Is('"保存"按钮', "enabled")))]),
        ("勾上“我已阅读并同意”，点下一步。", [p.Tick(('"我已阅读并同意"',)), p.Point("下一步")]),
        ("取消勾选“订阅新闻”，然后保存。", [p.Tick(('"订阅新闻"',), False), p.Perform("save")]),
        ("把语言设为简体中文", [p.SetValue("语言", "简体中文")]),
        ("把音量调到80", [p.SetValue("音量", "80")]),
        (
            "切换到“通知”标签页，把“邮件提醒”关掉。",
            [p.Point('"通知"标签页'), p.Tick(('"邮件提醒"',), False)],
        ),
        ("等“加载中”消失", [p.Wait(until=p.Not(p.Shows('"加载中"')))]),
        (
            "等待表格加载完，然后把第三行的订单号记下来。",
            [p.Wait(until=p.Shows("表格")), p.Read("第三行的订单号", "it")],
        ),
        ("把总价记为 总价", [p.Read("总价", "总价")]),
        ("执行命令 `ls -l /tmp`，结果记为 列表", [p.Run("ls -l /tmp", "列表")]),
        ("按 Ctrl+S 保存", [p.Press(("ctrl+s",))]),
        ("按两次 Tab，再按回车", [p.Press(("tab",), 2), p.Press(("enter",))]),
        (
            "对每一行，勾选左边的复选框",
            [p.ForEach("each", (p.Tick(("左边的复选框",), place="{each}"),), every="行")],
        ),
        ("重复三次：点击“加一”", [p.Repeat((p.Point('"加一"'),), 3)]),
        (
            "一直点“下一页”，直到看到“没有更多了”",
            [p.Repeat((p.Point('"下一页"'),), until=p.Shows('"没有更多了"'))],
        ),
        (
            "在“用户名”中输入 admin，在“密码”中输入 123456，点登录",
            [p.Enter("admin", '"用户名"'), p.Enter("123456", '"密码"'), p.Point("登录")],
        ),
        (
            "用户名输入admin，密码输入123456，单击登录按钮",
            [p.Enter("admin", "用户名"), p.Enter("123456", "密码"), p.Point("登录按钮")],
        ),
        ("将“城市”改为“上海”", [p.SetValue('"城市"', "上海")]),
        ("点一下右上角的头像，选“退出登录”", [p.Point("右上角的头像"), p.Choose(('"退出登录"',))]),
        ("在弹窗里点“确定”", [p.Point('"确定"', place="弹窗")]),
        ("弹窗中应显示“是否删除？”", [p.Check(p.Shows('弹窗中的"是否删除？"'))]),
        (
            "在对话框里把文件名改成 report.docx，按下“保存”",
            [p.SetValue("文件名", "report.docx", place="对话框"), p.Point('"保存"')],
        ),
        (
            "告诉我第三个商品的价格",
            [p.Read("第三个商品的价格", "it"), p.Answer("{it}", aloud=True)],
        ),
        ("全选文本并复制", [p.Highlight("everything"), p.Copy()]),
        ("把光标移到文末，输入“完”", [p.Press(("ctrl+end",)), p.Enter("完")]),
        ("双击“文档”文件夹", [p.Point('"文档"文件夹', "double")]),
        ("右键点击“照片.zip”，选择“压缩”", [p.Point('"照片.zip"', "right"), p.Choose(('"压缩"',))]),
        ("把“报告.docx”拖到“归档”文件夹里", [p.Drag('"报告.docx"', '"归档"文件夹')]),
        (
            "在单元格 B2 里输入 =A1*2 然后按回车",
            [p.Enter("=A1*2", "单元格 B2"), p.Press(("enter",))],
        ),
        ("选中A1到C5，设置为粗体", [p.Choose(("A1到C5",)), p.Change("A1到C5", "bold")]),
        ("点击“姓名”列的表头排序", [p.Point('"姓名"列的表头')]),
        (
            "新建一个日程，标题写“体检”，日期选下周五，时间填上午9点",
            [
                p.Perform("create", "一个日程"),
                p.Enter("体检", "标题"),
                p.PickDate(_day("下周五"), _day("下周五"), "日期"),
                p.PickTime("上午9点", "09:00", "时间"),
            ],
        ),
        (
            "满意度选“非常满意”，喜欢的功能勾上搜索、收藏和分享，最后提交问卷",
            [
                p.Choose(('"非常满意"',), "满意度"),
                p.Tick(("搜索", "收藏", "分享"), said="搜索、收藏和分享", place="喜欢的功能"),
                p.Submit(),
            ],
        ),
        (
            "性别选男，年龄选“18-25”，爱好勾选阅读与跑步",
            [
                p.Choose(("男",), "性别"),
                p.Choose(('"18-25"',), "年龄"),
                p.Tick(("阅读", "跑步"), said="阅读与跑步", place="爱好"),
            ],
        ),
        (
            "出发城市选北京，到达城市选广州，出发日期选2027年1月5日，点查询",
            [
                p.Choose(("北京",), "出发城市"),
                p.Choose(("广州",), "到达城市"),
                p.PickDate("2027年1月5日", "2027-01-05", "出发日期"),
                p.Point("查询"),
            ],
        ),
        ("把王芳那一行删除", [p.Perform("delete", "王芳那一行")]),
        (
            "在“赵六”这一行点“编辑”，把角色改为管理员，保存",
            [
                p.Point('"编辑"', place='"赵六"那一行'),
                p.SetValue("角色", "管理员"),
                p.Perform("save"),
            ],
        ),
        ("表格里应该有 5 行", [p.Check(p.Count("表格里的行", 5))]),
        ("确认列表共有3项", [p.Check(p.Count("列表里的项目", 3))]),
        ("检查“邮箱”是空的", [p.Check(p.Is('"邮箱"', "empty"))]),
        ("确保标题包含“订单”", [p.Check(p.Has("标题", "订单"))]),
        ("断言网址以“https://shop”开头", [p.Check(p.Has("网址", "https://shop", "starts"))]),
        (
            "没有看到登录按钮的话，刷新页面",
            [p.If(p.Not(p.Shows("登录按钮")), (p.Navigate("reload"),))],
        ),
        ("往下滚动，直到出现“联系我们”", [p.Scroll(until='"联系我们"')]),
        (
            "勾选所有未读邮件，标记为已读",
            [
                p.ForEach("each", (p.Tick(("{each}",)),), every="未读邮件"),
                p.Perform("mark", details=(("as", "已读"),)),
            ],
        ),
        ("返回上一页", [p.Navigate("back")]),
        (
            "登录名写wangwei，口令写Pass@123，勾上“记住我”再点登录",
            [
                p.Enter("wangwei", "登录名"),
                p.Enter("Pass@123", "口令"),
                p.Tick(('"记住我"',)),
                p.Point("登录"),
            ],
        ),
        (
            "商品名称填“无线鼠标”，单价填99.5，库存填200，上架状态选“已上架”，保存",
            [
                p.Enter("无线鼠标", "商品名称"),
                p.Enter("99.5", "单价"),
                p.Enter("200", "库存"),
                p.Choose(('"已上架"',), "上架状态"),
                p.Perform("save"),
            ],
        ),
        (
            "搜索“投影仪”，把结果按销量从高到低排列",
            [
                p.Perform("search", '"投影仪"'),
                p.Perform("sort", "结果", (("by", "销量"), ("order", "descending"))),
            ],
        ),
        (
            "点开第三条结果，看到“有货”就加入购物车",
            [p.Point("第三条结果"), p.If(p.Shows('"有货"'), (p.Point("加入购物车"),))],
        ),
        (
            "收件人填 lily@corp.cn，抄送留空，主题写“合同”，正文写“请查收附件。”，点发送",
            [
                p.Enter("lily@corp.cn", "收件人"),
                p.Check(p.Is("抄送", "empty")),
                p.Enter("合同", "主题"),
                p.Enter("请查收附件。", "正文"),
                p.Point("发送"),
            ],
        ),
        ("将“季度报告.xlsx”移动到“2026”文件夹", [p.Drag('"季度报告.xlsx"', '"2026"文件夹')]),
        ("新建文件夹“照片备份”", [p.Perform("create", "文件夹", (("named", "照片备份"),))]),
        (
            "选中第2行和第4行，点“批量删除”，在弹出的确认框里点“确定”",
            [
                p.Choose(("第2行", "第4行"), said="第2行和第4行"),
                p.Point('"批量删除"'),
                p.Point('"确定"', place="弹出的确认框"),
            ],
        ),
        (
            "在A1单元格里写“姓名”，在B1单元格里写“成绩”",
            [p.Enter("姓名", "A1单元格"), p.Enter("成绩", "B1单元格")],
        ),
        (
            "在 C2 中输入公式 =SUM(A2:B2)，按回车",
            [p.Enter("=SUM(A2:B2)", "C2"), p.Press(("enter",))],
        ),
        ("双击单元格 D5，改成 88", [p.Point("单元格 D5", "double"), p.SetValue("单元格 D5", "88")]),
        (
            "打开“设置”，进入“隐私”页面，关闭“位置共享”",
            [p.Open("设置"), p.Open("隐私"), p.Tick(('"位置共享"',), False)],
        ),
        ("把“深色模式”打开", [p.Tick(('"深色模式"',))]),
        ("字体大小选“大”", [p.Choose(('"大"',), "字体大小")]),
        ("将时区设置为“(UTC+08:00) 北京”", [p.SetValue("时区", "(UTC+08:00) 北京")]),
        (
            "点击“新建日程”，主题填“评审会”，地点填“三号会议室”，开始时间填14:00，结束时间填15:30，点保存",
            [
                p.Point('"新建日程"'),
                p.Enter("评审会", "主题"),
                p.Enter("三号会议室", "地点"),
                p.PickTime("14:00", "14:00", "开始时间"),
                p.PickTime("15:30", "15:30", "结束时间"),
                p.Point("保存"),
            ],
        ),
        (
            "表格里找到“李娜”，点她那一行的“重置密码”",
            [p.Find('"李娜"', place="表格"), p.Point('"重置密码"', place='"李娜"那一行')],
        ),
        (
            "对表格中每一行点击“批准”",
            [p.ForEach("each", (p.Point('"批准"', place="{each}"),), every="行")],
        ),
        (
            "把状态为“待审核”的记录全部勾选，然后点“通过”",
            [
                p.ForEach("each", (p.Tick(("{each}",)),), every='状态为"待审核"的记录'),
                p.Point('"通过"'),
            ],
        ),
        ("确认用户列表里没有“test01”", [p.Check(p.Not(p.Shows('用户列表里的"test01"')))]),
        (
            "您的年龄段选“30-39”，最常用的功能勾选“导出”和“打印”，其他建议写“无”，点提交",
            [
                p.Choose(('"30-39"',), "您的年龄段"),
                p.Tick(('"导出"', '"打印"'), place="最常用的功能"),
                p.Enter("无", "其他建议"),
                p.Point("提交"),
            ],
        ),
        (
            "输入用户名 admin 和密码 admin123，然后登录",
            [p.Enter("admin", "用户名字段"), p.Enter("admin123", "密码字段"), p.Perform("log in")],
        ),
        ("验证码填{code}，点“下一步”", [p.Enter("{code}", "验证码"), p.Point('"下一步"')]),
        (
            "入住日期选 2027-03-01，离店日期选 2027-03-04，房型选“大床房”，人数选2，点“预订”",
            [
                p.PickDate("2027-03-01", "2027-03-01", "入住日期"),
                p.PickDate("2027-03-04", "2027-03-04", "离店日期"),
                p.Choose(('"大床房"',), "房型"),
                p.Choose(("2",), "人数"),
                p.Point('"预订"'),
            ],
        ),
        (
            "出现“预订成功”后，把订单号记为 ORDER",
            [p.Wait(until=p.Shows('"预订成功"')), p.Read("订单号", "ORDER")],
        ),
        ("应该看到订单状态是“已支付”", [p.Check(p.Has("订单状态", "已支付", "equals"))]),
        ("断言“总计”等于 ¥1,280.00", [p.Check(p.Has('"总计"', "¥1,280.00", "equals"))]),
        ("检查“同意协议”没有勾选", [p.Check(p.Not(p.Is('"同意协议"', "checked")))]),
        ("验证下拉框“省份”里有“江苏省”", [p.Check(p.Shows('下拉框"省份"里的"江苏省"'))]),
        ("第三个标签页应该是选中状态", [p.Check(p.Is("第三个标签页", "selected"))]),
        ("“提交”按钮应该是灰色的", [p.Check(p.Not(p.Is('"提交"按钮', "enabled")))]),
        ("页面标题应为“个人中心”", [p.Check(p.Has("页面标题", "个人中心", "equals"))]),
        ("列表第一项应该包含“紧急”", [p.Check(p.Has("列表第一项", "紧急"))]),
        ("购物车里应有两件商品", [p.Check(p.Count("购物车里的商品", 2))]),
        ("确保没有出现“错误”", [p.Check(p.Not(p.Shows('"错误"')))]),
        (
            "如果弹出“会话超时”，点“重新登录”，否则继续",
            [p.If(p.Shows('"会话超时"'), (p.Point('"重新登录"'),))],
        ),
        (
            "要是列表是空的，就点击“添加”，填上“示例”",
            [p.If(p.Is("列表", "empty"), (p.Point('"添加"'), p.Enter("示例")))],
        ),
        ("只有看到“管理员”才点击“删除全部”", [p.If(p.Shows('"管理员"'), (p.Point('"删除全部"'),))]),
        ("重复5遍：按向下键", [p.Repeat((p.Press(("down",)),), 5)]),
        ("滚动到页面底部，点“关于我们”", [p.Scroll(amount="end"), p.Point('"关于我们"')]),
        ("等进度条消失再点“完成”", [p.Wait(until=p.Not(p.Shows("进度条"))), p.Point('"完成"')]),
        ("等到“导出完成”出现，最多等30秒", [p.Wait(30.0, p.Shows('"导出完成"'))]),
        ("等待 10 秒", [p.Wait(10.0)]),
        ("等文件 /tmp/out.csv 生成", [p.Wait(until=p.Exists("/tmp/out.csv"))]),
        ("运行命令 cat /tmp/out.csv，把输出记为 内容", [p.Run("cat /tmp/out.csv", "内容")]),
        ("验证 {内容} 以“id,name”开头", [p.Check(p.Compare("{内容}", "starts", "id,name"))]),
        ("复制第一行的邮箱，粘贴到“收件人”里", [p.Copy("第一行的邮箱"), p.Paste('"收件人"')]),
        ("全选，然后按 Delete 键", [p.Highlight("everything"), p.Press(("delete",))]),
        ("按住 Shift 点击最后一项", [p.Point("最后一项", held=("shift",))]),
        ("鼠标移到“产品”上，点“价格”", [p.Point('"产品"', "hover"), p.Point('"价格"')]),
        (
            "右击桌面，选“新建 > 文本文档”",
            [p.Point("桌面", "right"), p.Choose(("新建", "文本文档"), path=True)],
        ),
        ("关掉弹出的广告", [p.Perform("close", "弹出的广告")]),
        ("切换到 LibreOffice Calc 窗口", [p.SwitchTo("LibreOffice Calc")]),
        ("按 Alt+F4 关闭窗口", [p.Press(("alt+f4",))]),
        (
            "账号处填上zhangsan，密码处填上abc123，点击“登 录”",
            [p.Enter("zhangsan", "账号"), p.Enter("abc123", "密码"), p.Point('"登 录"')],
        ),
        (
            "请在收货人一栏写上“王小明”，手机号码写13800138000，详细地址写“人民路1号”，然后把“设为默认地址”勾上",
            [
                p.Enter("王小明", "收货人一栏"),
                p.Enter("13800138000", "手机号码"),
                p.Enter("人民路1号", "详细地址"),
                p.Tick(('"设为默认地址"',)),
            ],
        ),
        ("把优惠券选成“满100减20”，提交订单", [p.Choose(('"满100减20"',), "优惠券"), p.Submit()]),
        (
            "清空购物车，确认购物车为空",
            [p.Perform("empty", "购物车"), p.Check(p.Is("购物车", "empty"))],
        ),
        (
            "把“周报”这封邮件转发给“李经理”，附言写“请过目”",
            [
                p.Perform("forward", '"周报"这封邮件', (("to", "李经理"),)),
                p.Enter("请过目", "附言"),
            ],
        ),
        ("给“张伟”的邮件加星标", [p.Perform("star", '"张伟"的邮件')]),
        ("标记第一封邮件为未读", [p.Perform("mark", "第一封邮件", (("as", "未读"),))]),
        (
            "将所有垃圾邮件删除",
            [p.ForEach("each", (p.Perform("delete", "{each}"),), every="垃圾邮件")],
        ),
        (
            "回复最新的一封邮件，内容写“好的，明天见”",
            [p.Perform("reply", "最新的一封邮件"), p.Enter("好的，明天见", "内容")],
        ),
        ("在“草稿箱”里打开“年终总结”", [p.Open("年终总结", place='"草稿箱"')]),
        (
            "右键点“旧数据”，点“删除”，弹窗出现后点“是”",
            [
                p.Point('"旧数据"', "right"),
                p.Point('"删除"'),
                p.Wait(until=p.Shows("弹窗")),
                p.Point('"是"'),
            ],
        ),
        (
            "按文件大小降序排列文件",
            [p.Perform("sort", details=(("by", "文件大小"), ("order", "descending")))],
        ),
        ("解压“资料.zip”", [p.Perform("extract", '"资料.zip"')]),
        (
            "查找“苹果”并全部替换成“香蕉”",
            [p.Perform("replace", '"苹果"', (("with", "香蕉"), ("in", "everywhere")))],
        ),
        ("撤销上一步操作", [p.Perform("undo")]),
        ("A列按升序排序", [p.Perform("sort", details=(("by", "A列"), ("order", "ascending")))]),
        (
            "在B2输入100，B3输入200，B4输入=B2+B3，然后看看B4是不是300",
            [
                p.Enter("100", "B2"),
                p.Enter("200", "B3"),
                p.Enter("=B2+B3", "B4"),
                p.Check(p.Has("B4", "300", "equals")),
            ],
        ),
        ("验证B4的值是300", [p.Check(p.Has("B4", "300", "equals"))]),
        ("选中 B2:B4 并设置背景色为黄色", [p.Choose(("B2:B4",)), p.SetValue("背景色", "黄色")]),
        (
            "进入“系统设置 > 显示”，把亮度拖到60%",
            [p.Choose(("系统设置", "显示"), path=True), p.SetValue("亮度", "60%")],
        ),
        ("把“自动更新”的开关关掉", [p.Tick(('"自动更新"的开关',), False)]),
        (
            "Wi-Fi 名称选“Office-5G”，密码填“88888888”，点连接",
            [
                p.Choose(('"Office-5G"',), "Wi-Fi 名称"),
                p.Enter("88888888", "密码"),
                p.Point("连接"),
            ],
        ),
        (
            "通知方式勾选“短信”与“邮件”，去掉“电话”的勾",
            [p.Tick(('"短信"', '"邮件"'), place="通知方式"), p.Tick(('"电话"',), False)],
        ),
        (
            "重复方式选每周，提醒选提前15分钟",
            [p.Choose(("每周",), "重复方式"), p.Choose(("提前15分钟",), "提醒")],
        ),
        ("把ID为1024的用户停用", [p.Perform("disable", "ID为1024的用户")]),
        (
            "表格第一行第三列应该显示“已完成”",
            [p.Check(p.Has("表格第一行第三列", "已完成", "equals"))],
        ),
        (
            "第一题选B，第二题选A和C，第三题填“没有”",
            [
                p.Choose(("B",), "第一题"),
                p.Choose(("A", "C"), "第二题", said="A和C"),
                p.Enter("没有", "第三题"),
            ],
        ),
        ("滑块拖到8分", [p.SetValue("滑块", "8")]),
        ("性别单选“女”", [p.Choose(('"女"',), "性别")]),
        (
            "目的地输入“成都”，从下拉建议里选“成都双流国际机场”",
            [p.Enter("成都", "目的地"), p.Choose(('"成都双流国际机场"',), "下拉建议")],
        ),
        ("选择靠窗座位12A，点击“确认选座”", [p.Choose(("靠窗座位12A",)), p.Point('"确认选座"')]),
        (
            "如果提示“密码错误”，就把密码改成“Admin#2026”再点登录",
            [p.If(p.Shows('"密码错误"'), (p.SetValue("密码", "Admin#2026"), p.Point("登录")))],
        ),
        (
            "弹窗里如果有“不再提示”，就勾上它再关闭弹窗",
            [
                p.If(
                    p.Shows('弹窗里的"不再提示"'),
                    (p.Tick(('弹窗里的"不再提示"',)), p.Perform("close", "弹窗")),
                )
            ],
        ),
        ("连点三下“+”", [p.Point('"+"', times=3)]),
        (
            "先点“编辑”，等输入框出现，再把昵称改为“小明”，最后点“保存”",
            [
                p.Point('"编辑"'),
                p.Wait(until=p.Shows("输入框")),
                p.SetValue("昵称", "小明"),
                p.Point('"保存"'),
            ],
        ),
        ("一直往下翻，直到看到“没有更多内容”", [p.Scroll(until='"没有更多内容"')]),
        (
            "每隔2秒刷新一次，直到状态变成“成功”",
            [p.Repeat((p.Navigate("reload"), p.Wait(2.0)), until=p.Has("状态", "成功", "equals"))],
        ),
        (
            "记下订单总额，打开“财务”页面，把它填到“金额”里",
            [p.Read("订单总额", "it"), p.Open("财务"), p.Enter("{it}", '"金额"')],
        ),
        ("页面左上角的标志应该可见", [p.Check(p.Shows("左上角的标志"))]),
        (
            "错误提示“手机号格式不正确”应该消失",
            [p.Check(p.Not(p.Shows('错误提示"手机号格式不正确"')))],
        ),
        ("检查链接“忘记密码？”是否存在", [p.Check(p.Shows('链接"忘记密码？"'))]),
        (
            "先登录：账号 test@qq.com，密码 123456",
            [p.Perform("log in", details=(("账号", "test@qq.com"), ("密码", "123456")))],
        ),
        (
            "在“关键词”里敲“蓝牙音箱”，点“搜索”，等结果出来",
            [p.Enter("蓝牙音箱", '"关键词"'), p.Point('"搜索"'), p.Wait(until=p.Shows("结果"))],
        ),
        (
            "选第二个颜色，尺码选L，数量选3，点“加入购物车”",
            [
                p.Choose(("第二个颜色",)),
                p.Choose(("L",), "尺码"),
                p.Choose(("3",), "数量"),
                p.Point('"加入购物车"'),
            ],
        ),
        ("去掉购物车里的“数据线”", [p.Perform("remove", '购物车里的"数据线"')]),
        (
            "优惠码填SAVE10，点“使用”，确认总价变成了¥90.00",
            [
                p.Enter("SAVE10", "优惠码"),
                p.Point('"使用"'),
                p.Check(p.Has("总价", "¥90.00", "equals")),
            ],
        ),
        (
            "把收货地址改成“公司”，支付方式选“货到付款”，提交订单，把订单编号记下来",
            [
                p.SetValue("收货地址", "公司"),
                p.Choose(('"货到付款"',), "支付方式"),
                p.Submit(),
                p.Read("订单编号", "it"),
            ],
        ),
        ("把李雷发来的邮件删除", [p.Perform("delete", "李雷发来的邮件")]),
        (
            "写邮件给 hr@corp.com，主题是“请假”，内容是“明天请假一天”",
            [
                p.Perform(
                    "email",
                    details=(("to", "hr@corp.com"), ("主题", "请假"), ("内容", "明天请假一天")),
                )
            ],
        ),
        (
            "勾选前三封邮件，移动到“归档”",
            [
                p.ForEach("each", (p.Tick(("{each}",)),), every="邮件", limit=3),
                p.Perform("move", details=(("to", "归档"),)),
            ],
        ),
        ("下载第一个附件", [p.Perform("download", "第一个附件")]),
        (
            "姓名：李四；工号：A1023；部门：市场部",
            [p.SetValue("姓名", "李四"), p.SetValue("工号", "A1023"), p.SetValue("部门", "市场部")],
        ),
        (
            "部门选择“财务部”，职级选P6，入职时间选2026/05/01",
            [
                p.Choose(('"财务部"',), "部门"),
                p.Choose(("P6",), "职级"),
                p.PickDate("2026/05/01", "2026-05-01", "入职时间"),
            ],
        ),
        (
            "身份证号留空，直接点下一步，应提示“身份证号不能为空”",
            [
                p.Check(p.Is("身份证号", "empty")),
                p.Point("下一步"),
                p.Check(p.Shows('"身份证号不能为空"')),
            ],
        ),
        ("把备注清空", [p.Clear("备注")]),
        (
            "在“基本信息”标签页里把电话改为 010-88886666",
            [p.SetValue("电话", "010-88886666", place='"基本信息"标签页')],
        ),
        (
            "点“新建”，选“文件夹”，命名为“2027预算”，回车",
            [p.Point('"新建"'), p.Choose(('"文件夹"',)), p.Enter("2027预算"), p.Press(("enter",))],
        ),
        (
            "双击打开“合同”文件夹，里面应该有“主合同.pdf”",
            [p.Point('"合同"文件夹', "double"), p.Check(p.Shows('"主合同.pdf"'))],
        ),
        (
            "把“临时”文件夹里的文件全部删除",
            [p.ForEach("each", (p.Perform("delete", "{each}"),), every='"临时"文件夹里的文件')],
        ),
        (
            "保存文件，文件名写“总结.txt”",
            [p.Perform("save", "文件"), p.Enter("总结.txt", "文件名")],
        ),
        (
            "A1填“产品”，B1填“销量”，A2填“苹果”，B2填30",
            [
                p.Enter("产品", "A1"),
                p.Enter("销量", "B1"),
                p.Enter("苹果", "A2"),
                p.Enter("30", "B2"),
            ],
        ),
        (
            "打开“声音”设置，把音量调成50，勾选“静音通知”",
            [p.Open('"声音"设置'), p.SetValue("音量", "50"), p.Tick(('"静音通知"',))],
        ),
        ("关闭自动锁屏", [p.Tick(("自动锁屏",), False)]),
        ("把默认浏览器改为 Firefox", [p.SetValue("默认浏览器", "Firefox")]),
        (
            "新建会议：主题“周例会”，时间2026年11月20日上午10点，参会人“张三、李四”",
            [
                p.Perform(
                    "create",
                    "会议",
                    (
                        ("主题", "周例会"),
                        ("时间", "2026年11月20日上午10点"),
                        ("参会人", "张三、李四"),
                    ),
                )
            ],
        ),
        ("把明天的会议取消掉", [p.Perform("cancel", "明天的会议")]),
        ("在用户表里把王五的状态改成“禁用”", [p.SetValue("王五的状态", "禁用", place="用户表")]),
        ("每页显示选50条", [p.Choose(("50条",), "每页显示")]),
        (
            "点第5行最右边的“更多”，选“复制链接”",
            [p.Point('第5行最右边的"更多"'), p.Choose(('"复制链接"',))],
        ),
        (
            "确认第一行的“名称”是“Alpha”，“状态”是“运行中”",
            [
                p.Check(
                    p.Every(
                        (
                            p.Has('第一行的"名称"', "Alpha", "equals"),
                            p.Has('第一行的"状态"', "运行中", "equals"),
                        )
                    )
                )
            ],
        ),
        ("总分显示为 100 分", [p.Check(p.Has("总分", "100 分", "equals"))]),
        ("“下一步”按钮不可点击", [p.Check(p.Not(p.Is('"下一步"按钮', "enabled")))]),
        (
            "输入框里的提示文字是“请输入手机号”",
            [p.Check(p.Has("输入框里的提示文字", "请输入手机号", "equals"))],
        ),
        (
            "单选题选“不确定”，多选题选“价格”“质量”，意见填“无”，提交",
            [
                p.Choose(('"不确定"',), "单选题"),
                p.Choose(('"价格"', '"质量"'), "多选题"),
                p.Enter("无", "意见"),
                p.Submit(),
            ],
        ),
        (
            "出发地选上海，目的地选北京，日期选后天，查询",
            [
                p.Choose(("上海",), "出发地"),
                p.Choose(("北京",), "目的地"),
                p.PickDate(_day("后天"), _day("后天"), "日期"),
                p.Perform("search"),
            ],
        ),
        (
            "乘客勾选“王芳”，座位选“二等座”，提交订单",
            [p.Tick(('"王芳"',), place="乘客"), p.Choose(('"二等座"',), "座位"), p.Submit()],
        ),
        (
            "要是“同意”没勾上，就勾上它",
            [p.If(p.Not(p.Is('"同意"', "checked")), (p.Tick(('"同意"',)),))],
        ),
        (
            "重复点击“下一页”，直到“下一页”不可用",
            [p.Repeat((p.Point('"下一页"'),), until=p.Not(p.Is('"下一页"', "enabled")))],
        ),
        ("依次点击“一”、“二”、“三”", [p.Point('"一"'), p.Point('"二"'), p.Point('"三"')]),
        ("等待“上传成功”提示出现，超时60秒", [p.Wait(60.0, p.Shows('"上传成功"提示'))]),
        (
            "按Esc关闭对话框，按F5刷新，按Ctrl+Shift+T",
            [p.Press(("esc",)), p.Press(("f5",)), p.Press(("ctrl+shift+t",))],
        ),
        (
            "在登录页输入账号“demo”和密码“demo123”，点击登录按钮",
            [
                p.Enter("demo", "账号字段", place="登录页"),
                p.Enter("demo123", "密码字段", place="登录页"),
                p.Point("登录按钮"),
            ],
        ),
        ("商品数量改为2后点击“结算”", [p.SetValue("商品数量", "2"), p.Point('"结算"')]),
        ("把第一个商品移出购物车", [p.Perform("remove", "购物车里的第一个商品")]),
        (
            "评论区写“质量不错”，打分选5分，发表评论",
            [p.Enter("质量不错", "评论区"), p.Choose(("5分",), "打分"), p.Perform("post", "评论")],
        ),
        (
            "退款原因选“不想要了”，说明写“拍错了”，点“提交申请”",
            [
                p.Choose(('"不想要了"',), "退款原因"),
                p.Enter("拍错了", "说明"),
                p.Point('"提交申请"'),
            ],
        ),
        (
            "把“产品发布会”这封邮件标为重要",
            [p.Perform("mark", '"产品发布会"这封邮件', (("as", "重要"),))],
        ),
        (
            "签名改成“张三 | 研发部”，保存更改",
            [p.SetValue("签名", "张三 | 研发部"), p.Perform("save", "更改")],
        ),
        (
            "员工编号填 E007，姓名填“赵敏”，性别选“女”，出生日期选1995年8月3日，籍贯选“浙江”",
            [
                p.Enter("E007", "员工编号"),
                p.Enter("赵敏", "姓名"),
                p.Choose(('"女"',), "性别"),
                p.PickDate("1995年8月3日", "1995-08-03", "出生日期"),
                p.Choose(('"浙江"',), "籍贯"),
            ],
        ),
        ("紧急联系人不填", [p.Check(p.Is("紧急联系人", "empty"))]),
        (
            "请假类型选年假，开始日期填2026-12-01，结束日期填2026-12-03，事由写“回家”，点击提交",
            [
                p.Choose(("年假",), "请假类型"),
                p.PickDate("2026-12-01", "2026-12-01", "开始日期"),
                p.PickDate("2026-12-03", "2026-12-03", "结束日期"),
                p.Enter("回家", "事由"),
                p.Point("提交"),
            ],
        ),
        ("把“下载”文件夹中的“a.zip”移到“桌面”", [p.Drag('"下载"文件夹中的"a.zip"', '"桌面"')]),
        (
            "选择“图片.png”，按 Delete 键，在确认窗口中选“是”",
            [p.Choose(('"图片.png"',)), p.Press(("delete",)), p.Choose(('"是"',), "确认窗口")],
        ),
        (
            "在地址栏输入 /home/agent 并按回车",
            [p.Enter("/home/agent", "地址栏"), p.Press(("enter",))],
        ),
        (
            "将文件名改为“新文档.txt”，然后按回车确认",
            [p.SetValue("文件名", "新文档.txt"), p.Press(("enter",))],
        ),
        (
            "光标放到第二行末尾，按回车，写“第三行内容”",
            [
                p.Press(("ctrl+home",)),
                p.Press(("down",)),
                p.Press(("end",)),
                p.Press(("enter",)),
                p.Enter("第三行内容"),
            ],
        ),
        (
            "选中“标题”两个字，点工具栏上的“B”按钮",
            [p.Highlight('"标题"'), p.Point('工具栏上的"B"按钮')],
        ),
        ("把字号设置为18，颜色设为红色", [p.SetValue("字号", "18"), p.SetValue("颜色", "红色")]),
        (
            "在D1输入“合计”，D2输入“=SUM(A2:C2)”",
            [p.Enter("合计", "D1"), p.Enter("=SUM(A2:C2)", "D2")],
        ),
        (
            "点列标“C”，右键选择“插入列”",
            [p.Point('列标"C"'), p.Point('列标"C"', "right"), p.Choose(('"插入列"',))],
        ),
        ("验证 A1 单元格内容为“产品”", [p.Check(p.Has("A1 单元格", "产品", "equals"))]),
        (
            "勾选“显示隐藏文件”，取消勾选“显示缩略图”",
            [p.Tick(('"显示隐藏文件"',)), p.Tick(('"显示缩略图"',), False)],
        ),
        ("主题切换为“深色”", [p.SetValue("主题", "深色")]),
        (
            "屏幕亮度调到70%，关闭“夜间模式”",
            [p.SetValue("屏幕亮度", "70%"), p.Tick(('"夜间模式"',), False)],
        ),
        ("在“网络”里打开“飞行模式”", [p.Tick(('"飞行模式"',), place='"网络"')]),
        (
            "双击11月20日，新建事件“体检”，地点填“人民医院”，提醒设为提前1小时",
            [
                p.Point("11月20日", "double"),
                p.Perform("create", "事件", (("named", "体检"),)),
                p.Enter("人民医院", "地点"),
                p.SetValue("提醒", "提前1小时"),
            ],
        ),
        ("删除“周会”这个日程", [p.Perform("delete", '"周会"这个日程')]),
        ("第二行的“状态”应该是“启用”", [p.Check(p.Has('第二行的"状态"', "启用", "equals"))]),
        ("把第三行的“单价”改成 25.8", [p.SetValue('第三行的"单价"', "25.8")]),
        (
            "点击“销售额”列标题两次，验证第一行是“北京”",
            [p.Point('"销售额"列标题', times=2), p.Check(p.Has("第一行", "北京", "equals"))],
        ),
        (
            "在筛选框中输入“广东”，表格应只剩3行",
            [p.Enter("广东", "筛选框"), p.Check(p.Count("表格里的行", 3))],
        ),
        (
            "勾选第1、3、5行，然后批量删除",
            [p.Tick(("第1行", "第3行", "第5行"), said="第1行、第3行、第5行"), p.Perform("delete")],
        ),
        (
            "展开“高级选项”，把超时时间填成30",
            [p.Expand('"高级选项"'), p.SetValue("超时时间", "30")],
        ),
        ("问卷第3题选“C. 经常”", [p.Choose(('"C. 经常"',), "问卷第3题")]),
        ("您对我们的服务是否满意：选“满意”", [p.Choose(('"满意"',), "您对我们的服务是否满意")]),
        (
            "身高填170，体重填65，血型选O型，有无过敏史选“无”",
            [
                p.Enter("170", "身高"),
                p.Enter("65", "体重"),
                p.Choose(("O型",), "血型"),
                p.Choose(('"无"',), "有无过敏史"),
            ],
        ),
        (
            "点击“获取验证码”，等待5秒，输入验证码 8866",
            [p.Point('"获取验证码"'), p.Wait(5.0), p.Enter("8866", "验证码字段")],
        ),
        (
            "选往返，出发城市填“北京”，返程日期选2027年2月10日，舱位选“经济舱”，点击“搜索航班”",
            [
                p.Choose(("往返",)),
                p.Enter("北京", "出发城市"),
                p.PickDate("2027年2月10日", "2027-02-10", "返程日期"),
                p.Choose(('"经济舱"',), "舱位"),
                p.Point('"搜索航班"'),
            ],
        ),
        ("入住人数加1", [p.SetValue("入住人数", "1", True)]),
        ("点两次“+”，人数应为3", [p.Point('"+"', times=2), p.Check(p.Has("人数", "3", "equals"))]),
        (
            "若余票为0，则选择下一个车次",
            [p.If(p.Has("余票", "0", "equals"), (p.Choose(("下一个车次",)),))],
        ),
        (
            "如果“接受所有 Cookie”可见，点击它",
            [p.If(p.Shows('"接受所有 Cookie"'), (p.Point('"接受所有 Cookie"'),))],
        ),
        (
            "如果没有找到“张三”，就新增一个员工，姓名填张三",
            [
                p.If(
                    p.Not(p.Shows('"张三"')),
                    (p.Perform("add", "一个员工"), p.Enter("张三", "姓名")),
                )
            ],
        ),
        (
            "把商品列表里的每个商品都加入收藏",
            [
                p.ForEach(
                    "each",
                    (p.Perform("add", "{each}", (("to", "收藏"),)),),
                    every="商品列表里的商品",
                )
            ],
        ),
        (
            "循环点击“刷新”直到状态显示“已完成”",
            [p.Repeat((p.Point('"刷新"'),), until=p.Has("状态", "已完成", "equals"))],
        ),
        (
            "运行 `date +%Y`，结果保存为 YEAR，验证 {YEAR} 等于 2026",
            [p.Run("date +%Y", "YEAR"), p.Check(p.Compare("{YEAR}", "equals", "2026"))],
        ),
        ("读取页面标题并记为 TITLE", [p.Read("页面标题", "TITLE")]),
        (
            "告诉我购物车里一共有几件商品",
            [p.Compute("count", "购物车里的商品", "it"), p.Answer("{it}")],
        ),
        ("把“欢迎”和“设置”两个窗口都关掉", [p.CloseWindow("欢迎"), p.CloseWindow("设置")]),
        (
            "在弹出的文件选择框里选择 /tmp/test.txt，点“打开”",
            [p.Choose(("/tmp/test.txt",), "弹出的文件选择框"), p.Point('"打开"')],
        ),
        (
            "账号输入框填“root”，密码框填“toor”，按回车登录",
            [p.Enter("root", "账号输入框"), p.Enter("toor", "密码框"), p.Press(("enter",))],
        ),
        (
            "点“注册”，昵称填小王，邮箱填xw@a.com，勾选“同意条款”，提交",
            [
                p.Point('"注册"'),
                p.Enter("小王", "昵称"),
                p.Enter("xw@a.com", "邮箱"),
                p.Tick(('"同意条款"',)),
                p.Submit(),
            ],
        ),
        ("把数量加到3", [p.SetValue("数量", "3")]),
        ("应付金额应该等于 ¥299", [p.Check(p.Has("应付金额", "¥299", "equals"))]),
        ("将“张经理”加到收件人里", [p.Perform("add", '"张经理"', (("to", "收件人"),))]),
        ("把草稿里的第一封邮件发送出去", [p.Perform("send", "草稿里的第一封邮件")]),
        ("回复“收到，谢谢”", [p.Perform("reply", details=(("text", "收到，谢谢"),))]),
        (
            "转发第二封邮件给 boss@corp.cn",
            [p.Perform("forward", "第二封邮件", (("to", "boss@corp.cn"),))],
        ),
        ("所属部门下拉选择“人事部”", [p.Choose(('"人事部"',), "所属部门")]),
        (
            "联系电话改成13900000000，其他不变，点保存",
            [p.SetValue("联系电话", "13900000000"), p.Point("保存")],
        ),
        ("保存后应出现“修改成功”", [p.Perform("save"), p.Check(p.Shows('"修改成功"'))]),
        ("把 a.txt 和 b.txt 都拖到回收站", [p.Drag("a.txt", "回收站"), p.Drag("b.txt", "回收站")]),
        (
            "打开 README.md，把第一行改成“# 标题”，保存",
            [p.Open("README.md"), p.SetValue("第一行", "# 标题"), p.Perform("save")],
        ),
        (
            "在 B5 填入 12.5，按 Tab，再填 30",
            [p.Enter("12.5", "B5"), p.Press(("tab",)), p.Enter("30")],
        ),
        ("C列降序排列", [p.Perform("sort", details=(("by", "C列"), ("order", "descending")))]),
        ("把“允许通知”开关打开", [p.Tick(('"允许通知"开关',))]),
        (
            "恢复默认设置，弹窗里确认",
            [p.Perform("restore", "默认设置"), p.Perform("confirm", place="弹窗")],
        ),
        ("把“评审”拖到周五", [p.Drag('"评审"', "周五")]),
        ("切换到周视图", [p.Point("周视图")]),
        ("点击“张三”后面的“编辑”按钮", [p.Point('"张三"后面的"编辑"按钮')]),
        ("状态一列选“禁用”，点“筛选”", [p.Choose(('"禁用"',), "状态一列"), p.Point('"筛选"')]),
        ("确认“李四”的角色是“普通用户”", [p.Check(p.Has('"李四"的角色', "普通用户", "equals"))]),
        ("表格不应该包含“已删除”", [p.Check(p.Not(p.Has("表格", "已删除")))]),
        ("页面上不应出现“500”", [p.Check(p.Not(p.Shows('"500"')))]),
        ("确认输入框“昵称”里的内容是“小王”", [p.Check(p.Has('输入框"昵称"', "小王", "equals"))]),
        ("检查勾选框“自动续费”是未勾选状态", [p.Check(p.Not(p.Is('勾选框"自动续费"', "checked")))]),
        (
            "如果“库存”小于10，就在备注里写“补货”，否则什么都不做",
            [p.If(p.Has('"库存"', "10", "less"), (p.Enter("补货", "备注"),))],
        ),
        ("等“处理中”变成“已完成”", [p.Wait(until=p.Shows('"已完成"'))]),
        (
            "对于每个未完成的任务，点击它，再点“完成”",
            [p.ForEach("each", (p.Point("{each}"), p.Point('"完成"')), every="未完成的任务")],
        ),
        ("给每个商品点收藏", [p.ForEach("each", (p.Point("收藏", place="{each}"),), every="商品")]),
        ("依次选择“A”“B”“C”三个选项", [p.Choose(('"A"', '"B"', '"C"'))]),
        ("点三下“下一步”", [p.Point('"下一步"', times=3)]),
        ("按方向键下三次，再按空格", [p.Press(("down",), 3), p.Press(("space",))]),
        ("按 Ctrl+A 全选，再按 Delete 删除", [p.Press(("ctrl+a",)), p.Press(("delete",))]),
        ("粘贴剪贴板内容到编辑框", [p.Paste("编辑框")]),
        (
            "运行命令 `whoami`，确认输出是“agent”",
            [p.Run("whoami", "output"), p.Check(p.Compare("{output}", "equals", "agent"))],
        ),
        (
            "把页面标题存为变量 T，然后验证 {T} 包含“首页”",
            [p.Read("页面标题", "T"), p.Check(p.Compare("{T}", "contains", "首页"))],
        ),
        (
            "看看第一行的金额是多少，告诉我",
            [p.Read("第一行的金额", "it"), p.Answer("{it}", aloud=True)],
        ),
        (
            "确认表格中出现“wangfang@example.cn”",
            [p.Check(p.Shows('表格中的"wangfang@example.cn"'))],
        ),
        ("把“Select a number”设为 7", [p.SetValue('"Select a number"', "7")]),
        (
            "检查“Select a speed”当前显示的是“Faster”",
            [p.Check(p.Has('"Select a speed"', "Faster", "equals"))],
        ),
        ("页面上应该能看到“Morbi tincidunt”", [p.Check(p.Shows('"Morbi tincidunt"'))]),
        (
            "在日历中选择 2026 年 12 月 24 日",
            [p.PickDate("2026 年 12 月 24 日", "2026-12-24", "日历")],
        ),
        ("在第一个“Name”输入框里填写“陈静”", [p.Enter("陈静", '第一个"Name"输入框')]),
        ("选中第一个“Female”单选按钮", [p.Choose(('第一个"Female"单选按钮',))]),
        ("确认第一个“Female”已被选中", [p.Check(p.Is('第一个"Female"', "selected"))]),
        (
            "双击“Inline data demo”下面的“Root node”",
            [p.Point('"Inline data demo"下面的"Root node"', "double")],
        ),
        (
            "验证“Inline data demo”下方有“Child node 1”",
            [p.Check(p.Shows('"Inline data demo"下方的"Child node 1"'))],
        ),
        ("点一下表头“int”", [p.Point('表头"int"')]),
        (
            "验证表格第一行的 string 是“zebra”",
            [p.Check(p.Has("表格第一行的 string", "zebra", "equals"))],
        ),
        ("再点一次表头“int”", [p.Point('表头"int"')]),
        ("读取表格第一行的 string，记为 FIRST", [p.Read("表格第一行的 string", "FIRST")]),
        (
            "在“Name”栏里填入“/home/agent/huiyi.txt”，然后按回车",
            [p.Enter("/home/agent/huiyi.txt", '"Name"栏'), p.Press(("enter",))],
        ),
        (
            "执行命令 `cat /home/agent/huiyi.txt`，结果记为 内容",
            [p.Run("cat /home/agent/huiyi.txt", "内容")],
        ),
        ("按 End 键，再按回车键，然后粘贴", [p.Press(("end",)), p.Press(("enter",)), p.Paste()]),
        ("输入“ans/2+0.5”并回车", [p.Enter("ans/2+0.5"), p.Press(("enter",))]),
        ("应该看到“42.5”", [p.Check(p.Shows('"42.5"'))]),
        (
            "点击单元格 B2，输入“25”，按回车",
            [p.Point("单元格 B2"), p.Enter("25"), p.Press(("enter",))],
        ),
        ("验证单元格 B3 显示“100”", [p.Check(p.Has("单元格 B3", "100", "equals"))]),
        ("等待“员工登记”窗口出现", [p.Wait(until=p.WindowOpen("员工登记"))]),
        (
            "在姓名一栏输入“赵敏”，部门一栏输入“测试部”",
            [p.Enter("赵敏", "姓名一栏"), p.Enter("测试部", "部门一栏")],
        ),
        ("取消勾选第一个“checkbutton”", [p.Tick(('第一个"checkbutton"',), False)]),
        ("确认第一个“checkbutton”处于勾选状态", [p.Check(p.Is('第一个"checkbutton"', "checked"))]),
        ("确认屏幕上出现“51”", [p.Check(p.Shows('"51"'))]),
        ("等待文件 /home/agent/a.txt 出现", [p.Wait(until=p.Exists("/home/agent/a.txt"))]),
        (
            "在弹出的对话框里，把 Name 改成“wangfang”",
            [p.SetValue("Name", "wangfang", place="弹出的对话框")],
        ),
        (
            "在待办列表里添加“买牛奶”和“交电费”两项，然后把“取快递”删掉，再把剩下的任务全部勾选",
            [
                p.Perform("add", details=(("text", "买牛奶"),), place="待办列表"),
                p.Perform("add", details=(("text", "交电费"),), place="待办列表"),
                p.Perform("delete", '"取快递"'),
                p.ForEach("each", (p.Tick(("{each}",)),), every="任务"),
            ],
        ),
        ("把第二行的价格记下来", [p.Read("第二行的价格", "it")]),
        ("在备注里写“加急”，再保存", [p.Enter("加急", "备注"), p.Perform("save")]),
        (
            "退房日期填2027年4月3日，客人数选3",
            [p.PickDate("2027年4月3日", "2027-04-03", "退房日期"), p.Choose(("3",), "客人数")],
        ),
        (
            "满意度选“满意”，喜欢的功能勾上搜索和分享，年龄段选“26-35 岁”，最后提交问卷",
            [
                p.Choose(('"满意"',), "满意度"),
                p.Tick(("搜索", "分享"), said="搜索和分享", place="喜欢的功能"),
                p.Choose(('"26-35 岁"',), "年龄段"),
                p.Submit(),
            ],
        ),
        (
            "把“照片.zip”重命名为“旅行照片.zip”。",
            [p.Perform("rename", '"照片.zip"', (("to", "旅行照片.zip"),))],
        ),
        (
            "找到第二行的价格，把它填入备注，然后点击保存。",
            [p.Read("第二行的价格", "it"), p.Enter("{it}", "备注"), p.Point("保存")],
        ),
        ("勾选搜索和分享", [p.Tick(("搜索", "分享"), said="搜索和分享")]),
        (
            "在待办列表里添加“买牛奶”和“交电费”两项，然后把“写周报”标记为完成。",
            [
                p.Perform("add", details=(("text", "买牛奶"),), place="待办列表"),
                p.Perform("add", details=(("text", "交电费"),), place="待办列表"),
                p.Perform("mark", '"写周报"', (("as", "完成"),)),
            ],
        ),
        (
            "把“取快递”删掉，再把剩下的任务全部勾选。",
            [
                p.Perform("delete", '"取快递"'),
                p.ForEach("each", (p.Tick(("{each}",)),), every="任务"),
            ],
        ),
        (
            "把第二行的价格记下来，填到备注里，然后保存。",
            [p.Read("第二行的价格", "it"), p.Enter("{it}", "备注"), p.Perform("save")],
        ),
        (
            "在编号 1004 那一行点“发货”，然后在备注里写“加急”，再保存。",
            [
                p.Point('"发货"', place="编号 1004 那一行"),
                p.Enter("加急", "备注"),
                p.Perform("save"),
            ],
        ),
        (
            "入住日期填2027年4月1日，退房日期填2027年4月3日，客人数选3，然后点预订。",
            [
                p.PickDate("2027年4月1日", "2027-04-01", "入住日期"),
                p.PickDate("2027年4月3日", "2027-04-03", "退房日期"),
                p.Choose(("3",), "客人数"),
                p.Point("预订"),
            ],
        ),
        (
            "满意度选“满意”，喜欢的功能勾上搜索和分享，年龄段选“26-35 岁”，最后提交问卷。",
            [
                p.Choose(('"满意"',), "满意度"),
                p.Tick(("搜索", "分享"), said="搜索和分享", place="喜欢的功能"),
                p.Choose(('"26-35 岁"',), "年龄段"),
                p.Submit(),
            ],
        ),
        (
            "选中合同.pdf，然后把它删除。",
            [p.Choose(("合同.pdf",)), p.Perform("delete", "合同.pdf")],
        ),
        (
            "用户名填“liming”，密码填“Lm@2026”，再点“登录”",
            [p.Enter("liming", "用户名"), p.Enter("Lm@2026", "密码"), p.Point('"登录"')],
        ),
        (
            "点击右上角的“退出”，然后在弹窗中点“确认”",
            [p.Point('右上角的"退出"'), p.Point('"确认"', place="弹窗")],
        ),
        (
            "搜索框输入“咖啡机”，点搜索，打开第二个商品",
            [p.Enter("咖啡机", "搜索框"), p.Point("搜索"), p.Open("第二个商品")],
        ),
        (
            "规格选“500ml”，数量填2，点“加入购物车”",
            [p.Choose(('"500ml"',), "规格"), p.Enter("2", "数量"), p.Point('"加入购物车"')],
        ),
        (
            "把购物车里的“牙刷”删掉，然后点“去结算”",
            [p.Perform("delete", '购物车里的"牙刷"'), p.Point('"去结算"')],
        ),
        ("确认订单金额是 ¥58.00", [p.Check(p.Has("订单金额", "¥58.00", "equals"))]),
        (
            "打开最新一封邮件，回复“已收到”",
            [p.Open("最新一封邮件"), p.Perform("reply", details=(("text", "已收到"),))],
        ),
        (
            "新建邮件，收件人填 a@b.cn，主题填“周报”，正文填“见附件”，点击发送",
            [
                p.Perform("create", "邮件"),
                p.Enter("a@b.cn", "收件人"),
                p.Enter("周报", "主题"),
                p.Enter("见附件", "正文"),
                p.Point("发送"),
            ],
        ),
        ("把第一封邮件标记为已读", [p.Perform("mark", "第一封邮件", (("as", "已读"),))]),
        (
            "姓名填王芳，年龄填28，城市选“杭州”，爱好勾选“音乐”和“旅行”，点“保存”",
            [
                p.Enter("王芳", "姓名"),
                p.Enter("28", "年龄"),
                p.Choose(('"杭州"',), "城市"),
                p.Tick(('"音乐"', '"旅行"'), place="爱好"),
                p.Point('"保存"'),
            ],
        ),
        (
            "取消勾选“接收短信”，勾选“接收邮件”",
            [p.Tick(('"接收短信"',), False), p.Tick(('"接收邮件"',))],
        ),
        (
            "双击“项目”文件夹，把“计划.docx”拖到“归档”里",
            [p.Point('"项目"文件夹', "double"), p.Drag('"计划.docx"', '"归档"')],
        ),
        (
            "右键点击“报告.pdf”，选择“重命名”，输入“年报.pdf”，按回车",
            [
                p.Point('"报告.pdf"', "right"),
                p.Choose(('"重命名"',)),
                p.Enter("年报.pdf"),
                p.Press(("enter",)),
            ],
        ),
        ("新建文件夹，命名为“素材”", [p.Perform("create", "文件夹", (("named", "素材"),))]),
        (
            "在第一行输入“你好”，按回车，再输入“世界”",
            [p.Enter("你好", "第一行"), p.Press(("enter",)), p.Enter("世界")],
        ),
        (
            "按Ctrl+A全选，按Ctrl+C复制，然后新建一个文件，按Ctrl+V粘贴",
            [
                p.Press(("ctrl+a",)),
                p.Press(("ctrl+c",)),
                p.Perform("create", "一个文件"),
                p.Press(("ctrl+v",)),
            ],
        ),
        ("把“北京”替换成“上海”", [p.Perform("replace", '"北京"', (("with", "上海"),))]),
        (
            "在A1输入“日期”，在B1输入“金额”，在B2输入100",
            [p.Enter("日期", "A1"), p.Enter("金额", "B1"), p.Enter("100", "B2")],
        ),
        (
            "B3单元格输入“=B2*2”，按回车，确认B3显示200",
            [
                p.Enter("=B2*2", "B3单元格"),
                p.Press(("enter",)),
                p.Check(p.Has("B3", "200", "equals")),
            ],
        ),
        (
            "打开设置，把语言改为“简体中文”，保存",
            [p.Open("设置"), p.SetValue("语言", "简体中文"), p.Perform("save")],
        ),
        ("关闭“自动播放”", [p.Tick(('"自动播放"',), False)]),
        ("把字体大小调到16", [p.SetValue("字体大小", "16")]),
        (
            "新建日程，标题填“评审”，日期选2026年12月1日，时间选14:30",
            [
                p.Perform("create", "日程"),
                p.Enter("评审", "标题"),
                p.PickDate("2026年12月1日", "2026-12-01", "日期"),
                p.PickTime("14:30", "14:30", "时间"),
            ],
        ),
        (
            "在“张三”那一行点“编辑”，把部门改成“销售部”，点确定",
            [
                p.Point('"编辑"', place='"张三"那一行'),
                p.SetValue("部门", "销售部"),
                p.Point("确定"),
            ],
        ),
        (
            "表格第二行的状态应该是“已发布”",
            [p.Check(p.Has("表格第二行的状态", "已发布", "equals"))],
        ),
        ("确认表格共有4行", [p.Check(p.Count("表格里的行", 4))]),
        (
            "按“创建时间”降序排序",
            [p.Perform("sort", details=(("by", "创建时间"), ("order", "descending")))],
        ),
        (
            "第一题选“是”，第二题选“否”，第三题写“没有意见”，提交",
            [
                p.Choose(('"是"',), "第一题"),
                p.Choose(('"否"',), "第二题"),
                p.Enter("没有意见", "第三题"),
                p.Submit(),
            ],
        ),
        (
            "出发地填“南京”，目的地填“西安”，出发日期选2027年5月1日，点“查询”",
            [
                p.Enter("南京", "出发地"),
                p.Enter("西安", "目的地"),
                p.PickDate("2027年5月1日", "2027-05-01", "出发日期"),
                p.Point('"查询"'),
            ],
        ),
        (
            "等待“加载中”消失后，读取总价记为 TOTAL",
            [p.Wait(until=p.Not(p.Shows('"加载中"'))), p.Read("总价", "TOTAL")],
        ),
        (
            "如果看到“登录已过期”，就点“重新登录”",
            [p.If(p.Shows('"登录已过期"'), (p.Point('"重新登录"'),))],
        ),
        ("没有“下一页”的话就点“返回”", [p.If(p.Not(p.Shows('"下一页"')), (p.Point('"返回"'),))]),
        ("重复三次：点“加号”", [p.Repeat((p.Point('"加号"'),), 3)]),
        (
            "一直点“加载更多”，直到出现“到底了”",
            [p.Repeat((p.Point('"加载更多"'),), until=p.Shows('"到底了"'))],
        ),
        (
            "对每个商品，点击“收藏”",
            [p.ForEach("each", (p.Point('"收藏"', place="{each}"),), every="商品")],
        ),
        ("等文件 /tmp/a.zip 出现", [p.Wait(until=p.Exists("/tmp/a.zip"))]),
        ("执行命令 `ls /tmp`，把结果记为 FILES", [p.Run("ls /tmp", "FILES")]),
        ("验证 {FILES} 包含“a.zip”", [p.Check(p.Compare("{FILES}", "contains", "a.zip"))]),
        ("页面上应该显示“保存成功”", [p.Check(p.Shows('"保存成功"'))]),
        ("“提交”按钮应该可用", [p.Check(p.Is('"提交"按钮', "enabled"))]),
        ("检查“邮箱”输入框是否为空", [p.Check(p.Is('"邮箱"输入框', "empty"))]),
        (
            "确认弹窗里有“确定”和“取消”两个按钮",
            [p.Check(p.Every((p.Shows('弹窗里的"确定"按钮'), p.Shows('弹窗里的"取消"按钮'))))],
        ),
        (
            "告诉我第一个航班的价格",
            [p.Read("第一个航班的价格", "it"), p.Answer("{it}", aloud=True)],
        ),
        ("把页面滚动到“评论”", [p.Scroll(until='"评论"')]),
        ("鼠标悬停在“更多”上，点击“设置”", [p.Point('"更多"', "hover"), p.Point('"设置"')]),
        ("切换到“历史”标签页，清空记录", [p.Point('"历史"标签页'), p.Perform("empty", "记录")]),
        ("刷新页面，等待3秒", [p.Navigate("reload"), p.Wait(3.0)]),
        ("返回上一页，再点“首页”", [p.Navigate("back"), p.Point('"首页"')]),
        ("展开“详细信息”，复制订单号", [p.Expand('"详细信息"'), p.Copy("订单号")]),
        (
            "把订单号粘贴到搜索框里，按回车",
            [p.Copy("订单号"), p.Paste("搜索框"), p.Press(("enter",))],
        ),
        ("按两下 Esc", [p.Press(("esc",), 2)]),
        (
            "打开 https://example.com，点击“More information”",
            [p.GoTo("https://example.com"), p.Point('"More information"')],
        ),
        (
            "在“邮箱”栏输入 ann@x.com，点“发送验证码”，弹窗出现后点“知道了”",
            [
                p.Enter("ann@x.com", '"邮箱"栏'),
                p.Point('"发送验证码"'),
                p.Wait(until=p.Shows("弹窗")),
                p.Point('"知道了"'),
            ],
        ),
        (
            "密码写“Abc#123”，确认密码也写“Abc#123”，点注册",
            [p.Enter("Abc#123", "密码"), p.Enter("Abc#123", "确认密码"), p.Point("注册")],
        ),
        (
            "找到“不锈钢锅”，把它加入购物车",
            [p.Find('"不锈钢锅"'), p.Perform("add", '"不锈钢锅"', (("to", "购物车"),))],
        ),
        ("运费应该显示“免运费”", [p.Check(p.Has("运费", "免运费", "equals"))]),
        (
            "勾选“使用积分”，支付方式选微信，提交订单",
            [p.Tick(('"使用积分"',)), p.Choose(("微信",), "支付方式"), p.Submit()],
        ),
        ("把订单“20261101”取消", [p.Perform("cancel", '订单"20261101"')]),
        (
            "学历选“本科”，毕业院校填“浙江大学”，专业填“软件工程”",
            [
                p.Choose(('"本科"',), "学历"),
                p.Enter("浙江大学", "毕业院校"),
                p.Enter("软件工程", "专业"),
            ],
        ),
        (
            "是否在职选“是”，期望薪资填20000",
            [p.Choose(('"是"',), "是否在职"), p.Enter("20000", "期望薪资")],
        ),
        (
            "把“音乐”文件夹重命名成“歌曲”，再删除“空文件夹”",
            [
                p.Perform("rename", '"音乐"文件夹', (("to", "歌曲"),)),
                p.Perform("delete", '"空文件夹"'),
            ],
        ),
        ("复制“模板.docx”到“项目A”文件夹", [p.Copy('"模板.docx"'), p.Paste('"项目A"文件夹')]),
        (
            "按名称排序，打开第一个文件",
            [p.Perform("sort", details=(("by", "名称"),)), p.Open("第一个文件")],
        ),
        ("把光标移到行首，按 Tab", [p.Press(("home",)), p.Press(("tab",))]),
        (
            "B1写“语文”，C1写“数学”，B2写90，C2写85，D2写“=B2+C2”",
            [
                p.Enter("语文", "B1"),
                p.Enter("数学", "C1"),
                p.Enter("90", "B2"),
                p.Enter("85", "C2"),
                p.Enter("=B2+C2", "D2"),
            ],
        ),
        ("确认 D2 等于 175", [p.Check(p.Has("D2", "175", "equals"))]),
        (
            "进入“电源”设置，把“屏幕关闭时间”设为“10分钟”",
            [p.Open('"电源"设置'), p.SetValue('"屏幕关闭时间"', "10分钟")],
        ),
        ("启用“开机自启动”", [p.Tick(('"开机自启动"',))]),
        (
            "把代理服务器地址填为 127.0.0.1，端口填 8080",
            [p.SetValue("代理服务器地址", "127.0.0.1"), p.Enter("8080", "端口")],
        ),
        ("把“牙医”的时间改成下午4点", [p.PickTime("下午4点", "16:00", '"牙医"的时间')]),
        (
            "删掉12月3日的所有日程",
            [p.ForEach("each", (p.Perform("delete", "{each}"),), every="12月3日的日程")],
        ),
        (
            "搜索“刘洋”，点他那一行的“禁用”，在确认框里点“确定”",
            [
                p.Perform("search", '"刘洋"'),
                p.Point('"禁用"', place='"刘洋"那一行'),
                p.Point('"确定"', place="确认框"),
            ],
        ),
        (
            "“张伟”的邮箱应该是“zw@corp.cn”",
            [p.Check(p.Has('"张伟"的邮箱', "zw@corp.cn", "equals"))],
        ),
        ("确认列表里没有“已离职”的员工", [p.Check(p.Not(p.Shows('列表里的"已离职"的员工')))]),
        (
            "点击表头“年龄”，第一行的年龄应为 18",
            [p.Point('表头"年龄"'), p.Check(p.Has("第一行的年龄", "18", "equals"))],
        ),
        (
            "您的性别选“男”，职业选“教师”，最喜欢的水果勾选苹果、香蕉和橙子",
            [
                p.Choose(('"男"',), "您的性别"),
                p.Choose(('"教师"',), "职业"),
                p.Tick(("苹果", "香蕉", "橙子"), said="苹果、香蕉和橙子", place="最喜欢的水果"),
            ],
        ),
        (
            "对产品的建议填“价格再低一点”，联系方式留空，点“完成”",
            [
                p.Enter("价格再低一点", "对产品的建议"),
                p.Check(p.Is("联系方式", "empty")),
                p.Point('"完成"'),
            ],
        ),
        (
            "去程选2027年1月20日，返程选2027年1月27日，乘客数选2，点“搜索”",
            [
                p.PickDate("2027年1月20日", "2027-01-20", "去程"),
                p.PickDate("2027年1月27日", "2027-01-27", "返程"),
                p.Choose(("2",), "乘客数"),
                p.Point('"搜索"'),
            ],
        ),
        (
            "把价格最低的那个航班的航班号告诉我",
            [p.Read("价格最低的那个航班的航班号", "it"), p.Answer("{it}", aloud=True)],
        ),
        (
            "如果房价高于500，就点“返回”，否则点“预订”",
            [p.If(p.Has("房价", "500", "greater"), (p.Point('"返回"'),), (p.Point('"预订"'),))],
        ),
        (
            "若弹出“是否保存”，点“保存”；否则按Esc",
            [p.If(p.Shows('"是否保存"'), (p.Point('"保存"'),), (p.Press(("esc",)),))],
        ),
        ("看到“已满”就点“候补”", [p.If(p.Shows('"已满"'), (p.Point('"候补"'),))]),
        ("点“换一批”五次", [p.Point('"换一批"', times=5)]),
        ("等“上传中”消失，最多等两分钟", [p.Wait(120.0, p.Not(p.Shows('"上传中"')))]),
        ("等按钮变为可用再点击它", [p.Wait(until=p.Is("按钮", "enabled")), p.Point("按钮")]),
        ("执行 `python3 -V` 并把输出存为 VER", [p.Run("python3 -V", "VER")]),
        ("确认 {VER} 以“Python 3”开头", [p.Check(p.Compare("{VER}", "starts", "Python 3"))]),
        ("“确定”按钮被选中", [p.Check(p.Is('"确定"按钮', "selected"))]),
        ("错误信息应包含“格式”", [p.Check(p.Has("错误信息", "格式"))]),
        ("窗口标题应该是“新建文档”", [p.Check(p.Has("窗口标题", "新建文档", "equals"))]),
        (
            "把“A”、“B”、“C”依次拖到“已完成”列",
            [p.Drag('"A"', '"已完成"列'), p.Drag('"B"', '"已完成"列'), p.Drag('"C"', '"已完成"列')],
        ),
        (
            "按住Ctrl键点击“文件1”和“文件3”",
            [p.Point('"文件1"', held=("ctrl",)), p.Point('"文件3"', held=("ctrl",))],
        ),
        ("连续按三次退格键", [p.Press(("backspace",), 3)]),
        ("滑动到最底部，点击“联系客服”", [p.Scroll(amount="end"), p.Point('"联系客服"')]),
    ],
)
def test_what_people_write_is_what_is_done(text: str, expected: list[p.Step]) -> None:
    assert [_bare(step) for step in read_sentence(text).steps] == expected
    (program,) = read_file(text)
    assert not any(isinstance(step, p.Unclear) for step in program.steps)


@pytest.mark.parametrize(
    "text",
    [
        "执行命令 `ls /tmp`，顺便看看有没有问题",
        "在备注里写“加急”和别的什么",
        "从第1行到第3行，依次勾选复选框",
        "登录失败时应显示“用户名或密码错误”",
        "在编辑器里输入三行文字",
        "删除其余的文件",
        "把标题设成一级标题，第一段居中",
        "等到页面跳转到“首页”",
        "没登录的话先登录",
        "把“站会”从上午9点改到上午10点",
    ],
)
def test_what_may_be_meant_otherwise_is_unclear(text: str) -> None:
    assert any(isinstance(step, p.Unclear) for step in read_sentence(text).steps)


@pytest.mark.parametrize(
    ("text", "verb", "said"),
    [
        ("把“照片.zip”重命名为“旅行.zip”", "rename", "重命名"),
        ("把“取快递”删掉", "delete", "删除"),
        ("转发第二封邮件给 Ann", "forward", "转发"),
        ("收藏“复古台灯”", "favorite", "收藏"),
        ("把“耳机”加入购物车", "add", "加入购物车"),
    ],
)
def test_the_person_s_own_word_for_a_verb_is_kept(text: str, verb: str, said: str) -> None:
    (step,) = read_sentence(text).steps
    assert isinstance(step, p.Perform)
    assert (step.verb, step.said) == (verb, said)
