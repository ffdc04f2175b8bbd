"""Sentences in many languages: of each, one and another that has nothing to do with it."""

# By language: its script, and two sentences as people write them.
SENTENCES: dict[str, tuple[str, str, str]] = {
    "English": (
        "Latin",
        "The cat slept all day under the old kitchen table.",
        "Yesterday the train to London arrived two hours late.",
    ),
    "German": (
        "Latin",
        "Die Katze schlief den ganzen Tag unter dem alten Küchentisch.",
        "Gestern kam der Zug nach London zwei Stunden zu spät an.",
    ),
    "French": (
        "Latin",
        "Le chat a dormi toute la journée sous la vieille table de la cuisine.",
        "Hier, le train pour Londres est arrivé avec deux heures de retard.",
    ),
    "Spanish": (
        "Latin",
        "El gato durmió todo el día debajo de la vieja mesa de la cocina.",
        "Ayer el tren a Londres llegó con dos horas de retraso.",
    ),
    "Finnish": (
        "Latin",
        "Kissa nukkui koko päivän vanhan keittiönpöydän alla.",
        "Eilen juna Lontooseen saapui kaksi tuntia myöhässä.",
    ),
    "Turkish": (
        "Latin",
        "Kedi bütün gün eski mutfak masasının altında uyudu.",
        "Dün Londra treni iki saat geç geldi.",
    ),
    "Vietnamese": (
        "Latin",
        "Con mèo ngủ cả ngày dưới chiếc bàn bếp cũ.",
        "Hôm qua chuyến tàu đi Luân Đôn đến muộn hai tiếng.",
    ),
    "Swahili": (
        "Latin",
        "Paka alilala siku nzima chini ya meza kuukuu ya jikoni.",
        "Jana treni ya London ilichelewa kwa saa mbili.",
    ),
    "Russian": (
        "Cyrillic",
        "Кошка весь день спала под старым кухонным столом.",
        "Вчера поезд в Лондон опоздал на два часа.",
    ),
    "Ukrainian": (
        "Cyrillic",
        "Кішка цілий день спала під старим кухонним столом.",
        "Учора потяг до Лондона запізнився на дві години.",
    ),
    "Greek": (
        "Greek",
        "Η γάτα κοιμόταν όλη μέρα κάτω από το παλιό τραπέζι της κουζίνας.",
        "Χθες το τρένο για το Λονδίνο έφτασε με δύο ώρες καθυστέρηση.",
    ),
    "Hebrew": (
        "Hebrew",
        "החתול ישן כל היום מתחת לשולחן המטבח הישן.",
        "אתמול הרכבת ללונדון איחרה בשעתיים.",
    ),
    "Arabic": (
        "Arabic",
        "نامت القطة طوال اليوم تحت طاولة المطبخ القديمة.",
        "وصل القطار إلى لندن أمس متأخرا ساعتين.",
    ),
    "Persian": (
        "Arabic",
        "گربه تمام روز زیر میز قدیمی آشپزخانه خوابید.",
        "دیروز قطار لندن دو ساعت دیر رسید.",
    ),
    "Hindi": (
        "Devanagari",
        "बिल्ली पूरे दिन रसोई की पुरानी मेज़ के नीचे सोती रही।",
        "कल लंदन जाने वाली रेलगाड़ी दो घंटे देर से पहुँची।",
    ),
    "Bengali": (
        "Bengali",
        "বিড়ালটি সারাদিন রান্নাঘরের পুরোনো টেবিলের নিচে ঘুমিয়েছিল।",
        "গতকাল লন্ডনের ট্রেন দুই ঘণ্টা দেরিতে পৌঁছেছে।",
    ),
    "Tamil": (
        "Tamil",
        "பூனை நாள் முழுவதும் பழைய சமையலறை மேசையின் கீழ் தூங்கியது.",
        "நேற்று லண்டன் செல்லும் ரயில் இரண்டு மணி நேரம் தாமதமாக வந்தது.",
    ),
    "Telugu": (
        "Telugu",
        "పిల్లి రోజంతా పాత వంటగది బల్ల కింద నిద్రపోయింది.",
        "నిన్న లండన్ వెళ్ళే రైలు రెండు గంటలు ఆలస్యంగా వచ్చింది.",
    ),
    "Amharic": (
        "Ethiopic",
        "ድመቷ ቀኑን ሙሉ ከአሮጌው የወጥ ቤት ጠረጴዛ ስር ተኝታ ነበር።",
        "ትናንት ወደ ለንደን የሚሄደው ባቡር ሁለት ሰዓት ዘግይቶ ደረሰ።",
    ),
    "Georgian": (
        "Georgian",
        "კატას მთელი დღე ძველი სამზარეულოს მაგიდის ქვეშ ეძინა.",
        "გუშინ ლონდონის მატარებელი ორი საათით დაგვიანებით ჩამოვიდა.",
    ),
    "Armenian": (
        "Armenian",
        "Կատուն ամբողջ օրը քնած էր խոհանոցի հին սեղանի տակ։",
        "Երեկ Լոնդոնի գնացքը երկու ժամ ուշացավ։",
    ),
    "Korean": (
        "Hangul",
        "고양이는 하루 종일 낡은 부엌 식탁 밑에서 잠을 잤다.",
        "어제 런던행 기차가 두 시간 늦게 도착했다.",
    ),
    "Chinese": (
        "Han",
        "那只猫在厨房的旧桌子下面睡了一整天。",
        "昨天开往伦敦的火车晚点了两个小时。",
    ),
    "Japanese": (
        "Kana",
        "猫は一日中、台所の古いテーブルの下で眠っていた。",
        "昨日のロンドン行きの列車は二時間遅れて到着した。",
    ),
    "Thai": ("Thai", "แมวนอนอยู่ใต้โต๊ะครัวเก่าทั้งวัน", "เมื่อวานรถไฟไปลอนดอนมาสายสองชั่วโมง"),
    "Lao": ("Lao", "ແມວນອນຢູ່ກ້ອງໂຕະຄົວເກົ່າໝົດມື້", "ມື້ວານນີ້ລົດໄຟໄປລອນດອນມາຊ້າສອງຊົ່ວໂມງ"),
    "Khmer": ("Khmer", "ឆ្មាបានដេកពេញមួយថ្ងៃនៅក្រោមតុផ្ទះបាយចាស់", "ម្សិលមិញរថភ្លើងទៅឡុងដ៍មកយឺតពីរម៉ោង"),
    "Burmese": (
        "Myanmar",
        "ကြောင်ကမီးဖိုချောင်စားပွဲအောက်မှာတစ်နေ့လုံးအိပ်နေတယ်။",
        "မနေ့ကလန်ဒန်သွားတဲ့ရထားနှစ်နာရီနောက်ကျတယ်။",
    ),
    "Tibetan": (
        "Tibetan",
        "ཞི་མི་ཉིན་གང་ཐབ་ཚང་གི་ཅོག་ཙེའི་འོག་ཏུ་ཉལ་བསྡད་སོང་།",
        "ཁ་ས་ལོན་ཊོན་ལ་འགྲོ་བའི་མེ་འཁོར་ཆུ་ཚོད་གཉིས་འགྱངས་སོང་།",
    ),
}
