"""The words people have for kinds of things: one kind a line, its words after the colon."""

from __future__ import annotations

__all__ = ["CHINESE_WORDS", "ENGLISH_WORDS", "THINGS"]

ENGLISH_WORDS = """
button: button, push button, btn, toggle button, toggle, key, buttons, command button
field: field, text field, textfield, text box, textbox, input, input box, input field, entry,
  entry field, text input, edit box, search box, search field, search bar,
  text entry, input textbox, input text box, text input box, text input field, box, editor,
  form field, address bar, url bar, location bar, search input, editor area, editing area,
  edit area, text editor, rich text editor, rich-text editor, code editor, input area,
  typing area, compose area, writing area, editor pane, editing pane, edit field, combo field
text area: text area, textarea, multi-line field, multiline field, multi-line text box,
  multiline text box, multi-line box, large text box
password: password field, password box, password input
checkbox: checkbox, check box, tick box, tickbox
radio: radio, radio button, radiobutton, radio option, option button
switch: switch, toggle switch
link: link, hyperlink, weblink, anchor
tab: tab, page tab
menu: menu, popup menu, context menu, pie menu, radial menu, wheel menu, round menu
menu item: menu item, menu entry, menu option, menuitem
combo: dropdown, drop-down, drop down, combo box, combobox, combo, select, select box, selector,
  drop-down list, dropdown list, drop-down menu, dropdown menu, drop-down box, dropdown box,
  pull-down, picker, choice box, chooser
list: list, list box, listbox, scroll list, scrolling list, scrollable list, selection list,
  multi-select, multi-select list, scroll box
option: option, item, list item, entry in the list, choice, list entry, suggestion, result
slider: slider, range slider, range, knob, dial, slider handle, slider thumb, slider knob
spinner: spinner, spin button, spin box, spinbox, number field, number input, stepper, number
  box
progress: progress bar, progress, progressbar, level bar, meter
icon: icon, symbol, glyph, icon button, pictogram
image: image, picture, photo, thumbnail, logo, img, illustration, graphic, avatar
text: text, label, paragraph, word, message, line, caption, sentence, phrase, string, words,
  note
heading: heading, title, header, headline, section header, subtitle
cell: cell, table cell, grid cell
column: column, column header, column heading
row: row, table row, line item, record
table: table, grid, spreadsheet, data grid
tree item: tree item, tree node, node, folder, branch, directory, subfolder
tree: tree, tree view
toolbar: toolbar, tool bar, menu bar, menubar, navigation bar, nav bar, navbar, ribbon
group: section, group, area, panel, box group, region, form, pane, sidebar, side bar, fieldset,
  frame, block, card, container, navigation, page section
dialog: dialog, dialogue, dialog box, popup, pop-up, modal, alert, prompt, message box,
  notification, toast, banner, overlay
window: window, application window, app, application
scrollbar: scrollbar, scroll bar
shape: shape, figure, canvas, drawing
page: page, web page, webpage, document, website, screen
any: element, control, thing, object, widget, one, component, elements, things, spot,
  location, place, chip, badge, pill, tag, filter, tile
"""

CHINESE_WORDS = """
button: 按钮, 按键, 键, 按鈕
field: 输入框, 文本框, 输入栏, 搜索框, 编辑框, 地址栏,
  搜索栏, 日期选择器, 时间选择器,
  日期框, 文本输入框, 一栏, 这一栏, 那一栏, 栏, 框, 字段, 輸入框, 文字框, 编辑器, 编辑区,
  编辑区域, 输入区, 输入区域,
  富文本编辑器, 代码编辑器, 文本编辑器, 文本编辑区, 正文编辑区
text area: 文本域, 文本区域, 多行文本框, 多行输入框
password: 密码框, 密码输入框
checkbox: 复选框, 勾选框, 选择框, 複選框, 多选框
radio: 单选按钮, 单选框, 单选钮, 单选项, 單選按鈕
switch: 开关, 切换开关, 開關
link: 链接, 超链接, 連結, 鏈接
tab: 标签页, 选项卡, 页签, 標籤頁, 分页
menu: 菜单, 選單, 菜單, 子菜单, 右键菜单, 上下文菜单, 弹出菜单, 快捷菜单
menu item: 菜单项, 菜单选项, 菜單項
combo: 下拉框, 下拉列表, 下拉菜单, 组合框, 选择器, 下拉選單, 下拉选择框
list: 列表, 列表框, 清单
option: 选项, 列表项, 項目, 项目, 条目, 项, 建议
slider: 滑块, 滑杆, 滑动条, 滑條
spinner: 微调框, 数字框, 数字输入框, 数值框, 步进器
progress: 进度条
icon: 图标, 圖示, 符号, 小图标
image: 图片, 图像, 照片, 缩略图, 图, 头像
text: 文字, 文本, 标签, 段落, 消息, 字, 提示, 文字标签, 一行文字
heading: 标题, 標題, 小标题
cell: 单元格, 储存格, 格子
column: 列头, 列标题, 表头, 列
row: 行, 那一行, 这一行, 一行, 那行, 这行, 所在行, 所在的行, 记录
table: 表格, 表, 网格
tree item: 树节点, 节点, 文件夹
tree: 树, 树形列表
toolbar: 工具栏, 菜单栏, 导航栏
group: 导航区, 侧边导航, 区域, 部分, 面板, 抽屉, 分组, 组, 区, 表单, 侧边栏, 侧栏, 卡片, 板块, 分区
dialog: 对话框, 弹窗, 弹出框, 弹出窗口, 弹框, 弹层, 模态框, 确认框, 提示框, 對話框, 通知, 确认窗口,
  提示窗口, 确认弹窗, 提示弹窗, 二次确认框, 询问框, 警告框, 确认层
window: 窗口, 視窗, 程序窗口
scrollbar: 滚动条
shape: 图形, 形状, 画布
page: 页面, 网页, 文档, 屏幕
any: 元素, 控件, 东西, 组件, 对象, 位置, 地方
"""

_THINGS = """
account album allergy animal answer app application appointment article artist asset
author badge bed bill blog book booking bottle branch brand bug car category
certificate channel chapter city class client clip colleague college color colour
comment community company component contact contract conversation country coupon
course credential currency customer deal deck delivery department device dish district
doctor draft drink e-mail email employee employer event example exercise expense
feature film flavor flavour flight friend game goal grade guest habit hotel ingredient
interest invite invoice issue job key keyword language lead lecture lesson letter
list-item loan location machine mail manager meal measure medicine meeting member
milestone model module movie note notebook notification offer operation order
organisation organization package parcel partner patient payee payment permit person
pet phase place plan planet plant player playlist podcast policy post printer prize
product profile program project property question quiz quote recipe recipient record
region release reminder report repository request reservation restaurant review reward
role room route rule sample school season seat section series server service session
shelf shift shipment shop size skill slide slot song source speaker sport stage state
station step store story street student subject subscription supplier survey system
tag talk task teacher team template test theme thread ticket to-do todo tool topic
town track transaction transfer trip type unit university user value variable vehicle
vendor version video village voucher waypoint webinar week workshop workspace year
"""
THINGS = frozenset(_THINGS.split())
"""Words that say what sort of thing has a name, and nothing of how it looks."""
