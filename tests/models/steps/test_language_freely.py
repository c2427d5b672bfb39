"""English as people write it freely: places without commas, qualifiers, what is to be told."""

from __future__ import annotations

import pytest

from carrel.errors import InvalidInput
from carrel.models.steps import program as p
from carrel.models.steps.language import read_file, read_sentence, write_step


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        (
            "Remove the blue mug from the basket and check out.",
            ["remove the blue mug from the basket", "check out"],
        ),
        (
            "In the delivery section pick express shipping.",
            ["in the delivery section, choose express shipping"],
        ),
        (
            "Search for desk lamp and open the cheapest one.",
            ["search desk lamp", "open the cheapest one"],
        ),
        (
            "Please sort the products by price, lowest first.",
            ['sort the products (by: "price", order: "ascending")'],
        ),
        (
            "Delete every draft except the one called Budget.",
            ["for each [draft] except [the one called Budget]", "    delete {each}"],
        ),
        (
            "Could you tell me the balance of the joint account?",
            ["read the balance of the joint account as it", 'tell me "{it}"'],
        ),
        (
            "Enter 12 May 2027 as the start date and leave the end date blank.",
            ["choose the date 12 May 2027 in the start date", "verify that the end date is empty"],
        ),
        (
            "Tick the boxes for health insurance and pension but not the gym.",
            ["tick health insurance and pension", "untick the gym"],
        ),
        (
            "Create a new folder called Invoices 2027 and drag bill.pdf into it.",
            ['create a new folder (called: "Invoices 2027")', 'drag bill.pdf to "Invoices 2027"'],
        ),
        (
            "Select all the files and copy them to Backup.",
            ["for each [files]", "    choose {each}", "copy", "paste into Backup"],
        ),
        (
            'Type "Dear team," press enter twice and write "See you on Monday."',
            ['type "Dear team,"', "press the keys enter 2 times", 'type "See you on Monday."'],
        ),
        ("Undo the last two changes.", ["repeat 2 times", "    undo"]),
        ("In cell C3 enter the formula =SUM(A1:A9).", ['type "=SUM(A1:A9)" into cell C3']),
        ("Tell me what is in cell D4.", ["read the text in cell D4 as it", 'tell me "{it}"']),
        (
            "Under Display set the brightness to 70 % and turn on dark mode.",
            ['in Display, set the brightness to "70 %"', "in Display, tick dark mode"],
        ),
        (
            "Make an appointment called Dentist on Friday at 3 pm.",
            ['create an appointment (called: "Dentist", on: "Friday", at: "3 pm")'],
        ),
        (
            "Find the user kim in the table and change her role to Editor.",
            ["in the table, find the user kim", 'in the user kim, set the role to "Editor"'],
        ),
        (
            "Show 50 entries per page, then go to the last page.",
            ['set entries per page to "50"', "click the last page"],
        ),
        (
            "Disable the accounts of Tom and Eve and leave the rest as they are.",
            ["untick the accounts of Tom and Eve"],
        ),
        (
            "Book a room for two adults and one child from 3 to 7 August.",
            ['book a room for two adults and one child (from: "3 August", to: "7 August")'],
        ),
        (
            "Answer the first question with Yes and the other with No.",
            ['set the first question to "Yes"', 'set the other question to "No"'],
        ),
        (
            "Skip the optional questions and submit the survey.",
            ["skip the optional questions", "submit"],
        ),
        (
            "Sign in with the name eva and password pw 1, and don't tick remember me.",
            ['log in (name: "eva", password: "pw 1")'],
        ),
        ("Press Ctrl+Shift+T, then alt and F4.", ["press the keys ctrl+shift+t, alt+f4"]),
        (
            "Put three notebooks and a pen in the basket.",
            ['add notebooks (quantity: "3", to: "the basket")', 'add pen (to: "the basket")'],
        ),
        (
            "Go to the cart, change the quantity of the notebooks to 5 and proceed to checkout.",
            ["open the cart", 'set the quantity of the notebooks to "5"', "open checkout"],
        ),
        ("Pay with the Visa card ending in 4242.", ['pay (with: "the Visa card ending in 4242")']),
        (
            "Filter the results by brand Acme and by price under 50 euros.",
            ['filter the results (by: "brand Acme", by: "price under 50 euros")'],
        ),
        ("Reply to Ben that the offer stands.", ['reply Ben (text: "the offer stands")']),
        (
            "Attach report.pdf to the draft called Q3 and save it.",
            ['attach report.pdf (to: "the draft", called: "Q3")', "save"],
        ),
        (
            'Write an email to dan@corp.test saying "Lunch at noon?"',
            ['compose an email (to: "dan@corp.test", saying: "Lunch at noon?")'],
        ),
        (
            "What is the balance of my savings account?",
            ["read the balance of my savings account as it", 'tell me "{it}"'],
        ),
        (
            "Set up a standing order of 100 euros a month to Paul Klein.",
            ['set up a standing order of 100 euros a month (to: "Paul Klein")'],
        ),
        ("Date of birth: 3 April 1990.", ["choose the date 3 April 1990 in Date of birth"]),
        (
            "Choose Married as the marital status and leave the number of children at 0.",
            [
                "choose Married from the marital status",
                'verify that the number of children equals "0"',
            ],
        ),
        (
            "Sort the files by size, biggest first, and tell me the name of the first one.",
            [
                'sort the files (by: "size", order: "descending")',
                "read the name of the first one as it",
                'tell me "{it}"',
            ],
        ),
        (
            "Save it as draft2.odt and close the editor.",
            ['save (as: "draft2.odt")', 'perform "close" on the editor'],
        ),
        (
            "Write Total in A10 and =SUM(B1:B9) in B10.",
            ['type "Total" into A10', 'type "=SUM(B1:B9)" into B10'],
        ),
        (
            "Switch to the Network tab and turn Wi-Fi off.",
            ["click the Network tab", "untick Wi-Fi"],
        ),
        (
            "In Settings under Sound turn the volume down to 20.",
            ['in Settings under Sound, set the volume to "20"'],
        ),
        (
            "Add an event named Standup every weekday at 9:15.",
            ['add an event (named: "Standup", every: "weekday", at: "9:15")'],
        ),
        (
            "Create a group called Hiking with Tim, Sara and Noah.",
            ['create a group (called: "Hiking", with: "Tim, Sara and Noah")'],
        ),
        (
            "React to Eva's message with a thumbs up.",
            ['react to Eva\'s message (with: "a thumbs up")'],
        ),
        (
            'Edit my last message so that it says "See you at 6".',
            ['edit my last message (text: "See you at 6")'],
        ),
        (
            "Search for users whose name starts with Al and disable them all.",
            [
                "search users whose name starts with Al",
                "for each [users whose name starts with Al]",
                "    untick {each}",
            ],
        ),
        (
            'For question 3 choose "Somewhat agree" and for question 4 "Disagree".',
            ['in question 3, choose "Somewhat agree"', 'in question 4, choose "Disagree"'],
        ),
        (
            "Wait for the spinner to disappear, and as soon as the table shows up click Export.",
            [
                "wait until not (the spinner is visible)",
                "wait until the table is visible",
                "click Export",
            ],
        ),
        (
            "Please add a bag of dog food to my cart and go straight to the checkout.",
            ['add a bag of dog food (to: "my cart")', "open the checkout"],
        ),
        (
            "Use the coupon code HELLO5 and choose pick up in store.",
            ["apply the coupon code HELLO5", "choose pick up in store"],
        ),
        ("Take the last item out of the cart.", ["remove the last item from the cart"]),
        (
            "Let me know what the shipping costs are.",
            ["read the shipping costs as it", 'tell me "{it}"'],
        ),
        (
            "Look for an email from the bank and tell me its subject.",
            [
                "find an email from the bank",
                "in an email from the bank, read the subject as it",
                'tell me "{it}"',
            ],
        ),
        (
            'Write to Carla: "The contract is ready".',
            ['write to Carla (text: "The contract is ready")'],
        ),
        ('Reply to all with "Noted."', ['reply all (with: "Noted.")']),
        (
            "In the search box type invoice, hit enter and open the first result.",
            ['type "invoice" into the search box', "press the keys enter", "open the first result"],
        ),
        (
            "Pay the bill from Vodafone with my checking account.",
            ['pay the bill from Vodafone (with: "my checking account")'],
        ),
        ("Select Part-time under Employment type.", ["choose Part-time from Employment type"]),
        (
            "Attach the file certificate.pdf and sign the declaration.",
            ["attach the file certificate.pdf", "sign the declaration"],
        ),
        (
            "In the field for the phone number write +49 30 555.",
            ['type "+49 30 555" into the field for the phone number'],
        ),
        (
            "Request three days of vacation starting on 1 July.",
            ['request three days of vacation (starting on: "1 July")'],
        ),
        (
            "Make a copy of plan.docx and name it plan-old.docx.",
            ["create a copy of plan.docx", 'rename a copy of plan.docx (to: "plan-old.docx")'],
        ),
        (
            "Drag the file a.png onto the folder Images, then undo that.",
            ["drag the file a.png to the folder Images", "undo"],
        ),
        (
            "Center the title and underline the first sentence.",
            ["center the title", 'give the first sentence the style "underlined"'],
        ),
        (
            "Type hello world in capital letters at the end of the document.",
            ['append "HELLO WORLD"'],
        ),
        ("Go to the end of the document and paste.", ["press the keys ctrl+end", "paste"]),
        (
            "Find the word apple and count how often it occurs.",
            ["find the word apple", "remember the number of the word apple as it"],
        ),
        (
            "Enter 10, 20 and 30 into A1, A2 and A3.",
            ['type "10" into A1', 'type "20" into A2', 'type "30" into A3'],
        ),
        ("Sort column B from Z to A.", ['sort (by: "column B", order: "descending")']),
        (
            "Format the cells B2 to B6 as currency.",
            ['perform "format" on the cells B2 to B6 (as: "currency")'],
        ),
        ("What does cell C7 say?", ["read cell C7 as it", 'tell me "{it}"']),
        ("Turn the brightness all the way up.", ["drag the brightness to the far right end"]),
        (
            "Set a reminder for tomorrow at 8 am to call mum.",
            ['perform "set" on a reminder for tomorrow (at: "8 am", to: "call mum")'],
        ),
        (
            "Upload cat.jpg to the chat with Rosa and send it.",
            ['upload cat.jpg (to: "the chat with Rosa")', "send"],
        ),
        (
            "Assign ticket 512 to Priya and set its priority to High.",
            ['assign ticket 512 (to: "Priya")', 'in ticket 512, set the priority to "High"'],
        ),
        (
            "Expand the row for order 88 and read out the delivery date.",
            ["expand the row for order 88", "read the delivery date as it", 'tell me "{it}"'],
        ),
        (
            "Reserve a table for 6 people on Saturday at 19:00 under the name Ortiz.",
            ['reserve a table for 6 people (on: "Saturday", at: "19:00", name: "Ortiz")'],
        ),
        (
            "Search the shop for running shoes and sort them by rating.",
            ["search running shoes", 'sort running shoes (by: "rating")'],
        ),
        (
            "Remove both the milk and the bread, then tell me how many items are left.",
            [
                "remove the milk",
                "remove the bread",
                "remember the number of items as it",
                'tell me "{it}"',
            ],
        ),
        (
            "Create a folder named Receipts and move all mails from Amazon there.",
            [
                'create a folder (named: "Receipts")',
                "for each [mails from Amazon]",
                '    drag {each} to "Receipts"',
            ],
        ),
        (
            "Choose a start date of 1 September 2027 and an hourly wage of 22.",
            ["choose the date 1 September 2027 in the start date", 'set the hourly wage to "22"'],
        ),
        (
            "Zip the folder Photos and email it to Tom.",
            ["zip the folder Photos", 'email the folder Photos (to: "Tom")'],
        ),
        (
            "Select a.txt, b.txt and c.txt and move them into Old.",
            ["choose a.txt, b.txt and c.txt", 'perform "move" (to: "Old")'],
        ),
        (
            "Show the properties of song.mp3 and tell me its size.",
            [
                "show the properties of song.mp3",
                "in the properties of song.mp3, read the size as it",
                'tell me "{it}"',
            ],
        ),
        ("Print two copies of pages 3 to 5.", ["print two copies of pages 3 to 5"]),
        (
            "Fill cells A1 through A3 with Mon, Tue and Wed.",
            ['type "Mon" into cell A1', 'type "Tue" into cell A2', 'type "Wed" into cell A3'],
        ),
        (
            "Connect to the Wi-Fi network HomeNet with the password secret123.",
            ['connect the Wi-Fi network HomeNet (password: "secret123")'],
        ),
        ("Switch the language back to English.", ['set the language to "English"']),
        (
            'Reply "Sounds good" to the last message from Jan.',
            ['reply the last message from Jan (text: "Sounds good")'],
        ),
        (
            'Post "We are live!" in the announcements channel and pin it.',
            ['post "We are live!" (in: "the announcements channel")', 'pin "We are live!"'],
        ),
        (
            "Show all users who haven't logged in since March.",
            ["show all users who haven't logged in since March"],
        ),
        (
            "Give the hotel five stars and recommend it.",
            ['rate the hotel (with: "five stars")', "recommend the hotel"],
        ),
        (
            "Remove the jam from the basket, add two loaves of bread and check out.",
            ["remove the jam from the basket", 'add loaves of bread (quantity: "2")', "check out"],
        ),
        (
            "On the Shipping page choose express delivery and continue.",
            ["in the Shipping page, choose express delivery", "in the Shipping page, continue"],
        ),
        (
            "Set the quantity of apples to four and apply the coupon FRUIT.",
            ['set the quantity of apples to "four"', "apply the coupon FRUIT"],
        ),
        (
            "Search for garden chair, open the third result and add it to the cart.",
            [
                "search garden chair",
                "open the third result",
                'add the third result (to: "the cart")',
            ],
        ),
        (
            "Transfer 30 euros to Eva with the reference Pizza and confirm.",
            ['transfer (amount: "30 euros", to: "Eva", reference: "Pizza")', 'perform "confirm"'],
        ),
        (
            "Tick the boxes for vegan and gluten free, but not halal.",
            ["tick vegan and gluten free", "untick halal"],
        ),
        (
            "Put my surname Meyer into the second field and save.",
            ['type "Meyer" into the second field', "save"],
        ),
        (
            "Rename photo1.jpg to beach.jpg and move it to Summer.",
            ['rename photo1.jpg (to: "beach.jpg")', 'drag "beach.jpg" to Summer'],
        ),
        (
            "Create a new folder called Taxes, then open it.",
            ['create a new folder (called: "Taxes")', "open Taxes"],
        ),
        (
            "Select all files except readme.md and download them.",
            ["for each [files] except [readme.md]", "    choose {each}", "download"],
        ),
        (
            "Put 100 in cell B2, 200 in cell B3 and =B2+B3 in cell B4.",
            ['type "100" into cell B2', 'type "200" into cell B3', 'type "=B2+B3" into cell B4'],
        ),
        (
            "In the display settings turn on night light and set the brightness to 40 percent.",
            [
                "in the display settings, tick night light",
                'in the display settings, set the brightness to "40 percent"',
            ],
        ),
        ("Turn off sounds but keep vibration on.", ["untick sounds", "tick vibration"]),
        (
            "Switch on two-factor authentication in the security settings.",
            ["in the security settings, tick two-factor authentication"],
        ),
        (
            'Open the chat with Sue and send her "Happy birthday!"',
            ["open the chat with Sue", 'send "Happy birthday!"'],
        ),
        ("Mute the group called Work.", ["mute the group called Work"]),
        (
            "Find the user Tina Ross in the table and deactivate her account.",
            ["in the table, find the user Tina Ross", "in the user Tina Ross, untick the account"],
        ),
        (
            'Answer "Yes" to the first question and "No" to the second.',
            ['set the first question to "Yes"', 'set the second question to "No"'],
        ),
        (
            "Rate the app five stars and submit the survey.",
            ['rate the app (with: "five stars")', "submit"],
        ),
        (
            "If there is a cookie banner, reject all cookies.",
            ["if [cookie banner] is visible", "    reject all cookies"],
        ),
        (
            "Once you have saved the file, close the tab.",
            ["save the file", 'perform "close" on the tab'],
        ),
        (
            'Click Next until "Summary" is shown, then click Finish.',
            ['repeat until ["Summary"] is visible', "    click Next", "click Finish"],
        ),
        (
            "Wait till the file /home/agent/shopping.txt has been created",
            ['wait until the file "/home/agent/shopping.txt" exists'],
        ),
        (
            "Press the Replace All button if there is one; otherwise click Replace five times",
            [
                "if [the Replace All button] is visible",
                "    click the Replace All button",
                "else",
                "    click Replace 5 times",
            ],
        ),
        (
            "Open mousepad and wait until its window has come up",
            ["open mousepad", 'wait until the window "mousepad" is open'],
        ),
        (
            'When asked for a name, enter "Invoices" and press Enter',
            [
                "wait until the page has loaded",
                'type "Invoices" into the name',
                "press the keys enter",
            ],
        ),
        (
            "Expect to see a folder called Invoices",
            ["verify that a folder called Invoices is visible"],
        ),
        ("Make sure you can see keep.txt", ["verify that keep.txt is visible"]),
        (
            'The table of existing users should now list "Maria Lopez"',
            ['verify that the table of existing users contains "Maria Lopez"'],
        ),
        ("Given I am on file:///tmp/x.html", ["go to file:///tmp/x.html"]),
        ('Type "sc" slowly into Tags', ['type "sc" into Tags']),
        (
            'Use "Toggle disable/enable", after which click OK',
            ['click "Toggle disable/enable"', "click OK"],
        ),
        (
            "I should not see a group of radio buttons for the brand",
            ["verify that not (a group of radio buttons for the brand is visible)"],
        ),
        ("Read the last result and keep it as DATE", ["read the last result as DATE"]),
        ("Read the last result and call it ANSWER", ["read the last result as ANSWER"]),
        (
            "press Enter, then 20 and Enter, then 30 and Enter",
            [
                "press the keys enter",
                'type "20"',
                "press the keys enter",
                'type "30"',
                "press the keys enter",
            ],
        ),
        ("Verify that 90 is on the screen", ["verify that 90 is visible"]),
        ('Open mousepad and write "abc" in it', ["open mousepad", 'type "abc"']),
        ("confirm with the Enter key", ["press the keys enter"]),
        (
            "Open the file /home/agent/letter.txt with mousepad",
            ['open "/home/agent/letter.txt" with the app "mousepad"'],
        ),
        (
            "Wait for the file /home/agent/film.txt",
            ['wait until the file "/home/agent/film.txt" exists'],
        ),
        ("Open the file manager pcmanfm", ["open pcmanfm"]),
        ("Load file:///tmp/a.html", ["go to file:///tmp/a.html"]),
        ("Start the download", ['perform "start" on the download']),
        (
            'Give it up to 60 seconds until "Complete!" appears',
            ['wait up to 60 seconds until "Complete!" is visible'],
        ),
        (
            "Check that Overwatch can be seen and that FIFA 17 cannot",
            ["verify that all of (Overwatch is visible), (not (FIFA 17 is visible))"],
        ),
        ("Open the list and pick Scheme out of them", ["open the list", "choose Scheme"]),
        (
            "Remove the honey from the cart and check out.",
            ["remove the honey from the cart", "check out"],
        ),
        (
            "Search for lamp, open the Desk lamp Oslo and tell me its price.",
            [
                "search lamp",
                "open the Desk lamp Oslo",
                "in the Desk lamp Oslo, read the price as it",
                'tell me "{it}"',
            ],
        ),
    ],
)
def test_a_free_sentence_is_these_steps(said: str, steps: list[str]) -> None:
    read = read_sentence(said).steps
    assert "\n".join(write_step(step) for step in read).split("\n") == steps


@pytest.mark.parametrize(
    "said",
    [
        "Check in on 5 May and out on 9 May.",
        "Delete everything in the Temp folder but keep log.txt.",
        "Put the cursor after the word “Introduction” and press Enter.",
        "Filter the table so that only rows with status Open are shown.",
        "Set the screen to turn off after 10 minutes.",
        "Open the chat with Yuki and frobnicate the list.",
        "Tell me when order 7731 will arrive.",
        "Fill cells A1 through A4 with Mon, Tue and Wed.",
    ],
)
def test_what_no_rule_reads_rightly_is_not_read_at_all(said: str) -> None:
    assert any(isinstance(step, p.Unclear) for step in read_sentence(said).steps)


@pytest.mark.parametrize(
    "said",
    [
        "On the Notifications tab switch off the email digest and save",
        "Under General set the language to French",
        "Tell me the price of the lamp",
        "What is my current balance?",
        "My first name is Karl",
        "Date of birth: 3 April 1990",
        "As soon as the table shows up click Export",
    ],
)
def test_a_line_of_a_file_may_say_what_a_sentence_may(said: str) -> None:
    (program,) = read_file(said)
    assert [type(step) for step in program.steps] == [type(s) for s in read_sentence(said).steps]


def test_what_is_told_goes_nowhere_on_the_screen() -> None:
    *_, last = read_sentence("Tell me the price of the lamp").steps
    assert last == p.Answer("{it}", aloud=True, words=last.words)
    (program,) = read_file('answer "5"')
    assert program.steps[0] == p.Answer("5", line=1, words=program.steps[0].words)


def test_whether_something_is_so_is_answered_with_yes_or_no() -> None:
    (step,) = read_sentence('Tell me whether "Save" is enabled.').steps
    assert isinstance(step, p.If)
    yes, no = step.then[0], step.otherwise[0]
    assert isinstance(yes, p.Answer)
    assert isinstance(no, p.Answer)
    assert (yes.text, no.text) == ("yes", "no")


def test_a_second_instruction_with_an_unknown_verb_is_refused_by_its_line() -> None:
    with pytest.raises(InvalidInput, match="frobnicate"):
        read_file("open the list and frobnicate the rest", "a.steps")
