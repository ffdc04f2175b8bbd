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
    "Italian": (
        "Latin",
        "Il gatto ha dormito tutto il giorno sotto il vecchio tavolo della cucina.",
        "Ieri il treno per Londra è arrivato con due ore di ritardo.",
    ),
    "Portuguese": (
        "Latin",
        "O gato dormiu o dia inteiro debaixo da velha mesa da cozinha.",
        "Ontem o comboio para Londres chegou com duas horas de atraso.",
    ),
    "Dutch": (
        "Latin",
        "De kat sliep de hele dag onder de oude keukentafel.",
        "Gisteren kwam de trein naar Londen twee uur te laat aan.",
    ),
    "Polish": (
        "Latin",
        "Kot spał cały dzień pod starym stołem kuchennym.",
        "Wczoraj pociąg do Londynu przyjechał z dwugodzinnym opóźnieniem.",
    ),
    "Swedish": (
        "Latin",
        "Katten sov hela dagen under det gamla köksbordet.",
        "I går kom tåget till London två timmar för sent.",
    ),
    "Danish": (
        "Latin",
        "Katten sov hele dagen under det gamle køkkenbord.",
        "I går kom toget til London to timer for sent.",
    ),
    "Norwegian": (
        "Latin",
        "Katten sov hele dagen under det gamle kjøkkenbordet.",
        "I går kom toget til London to timer for sent fram.",
    ),
    "Icelandic": (
        "Latin",
        "Kötturinn svaf allan daginn undir gamla eldhúsborðinu.",
        "Í gær kom lestin til London tveimur klukkustundum of seint.",
    ),
    "Czech": (
        "Latin",
        "Kočka spala celý den pod starým kuchyňským stolem.",
        "Včera přijel vlak do Londýna o dvě hodiny později.",
    ),
    "Slovak": (
        "Latin",
        "Mačka spala celý deň pod starým kuchynským stolom.",
        "Včera prišiel vlak do Londýna o dve hodiny neskôr.",
    ),
    "Slovene": (
        "Latin",
        "Mačka je ves dan spala pod staro kuhinjsko mizo.",
        "Včeraj je vlak v London prispel z dveurno zamudo.",
    ),
    "Croatian": (
        "Latin",
        "Mačka je cijeli dan spavala ispod starog kuhinjskog stola.",
        "Jučer je vlak za London stigao s dva sata zakašnjenja.",
    ),
    "Hungarian": (
        "Latin",
        "A macska egész nap a régi konyhaasztal alatt aludt.",
        "Tegnap a londoni vonat két órát késett.",
    ),
    "Romanian": (
        "Latin",
        "Pisica a dormit toată ziua sub masa veche din bucătărie.",
        "Ieri trenul spre Londra a sosit cu două ore întârziere.",
    ),
    "Estonian": (
        "Latin",
        "Kass magas terve päeva vana köögilaua all.",
        "Eile jõudis Londoni rong kohale kaks tundi hiljem.",
    ),
    "Latvian": (
        "Latin",
        "Kaķis visu dienu gulēja zem vecā virtuves galda.",
        "Vakar vilciens uz Londonu pienāca ar divu stundu kavēšanos.",
    ),
    "Lithuanian": (
        "Latin",
        "Katė visą dieną miegojo po senu virtuvės stalu.",
        "Vakar traukinys į Londoną atvyko dviem valandomis vėliau.",
    ),
    "Indonesian": (
        "Latin",
        "Kucing itu tidur sepanjang hari di bawah meja dapur tua.",
        "Kemarin kereta ke London tiba terlambat dua jam.",
    ),
    "Tagalog": (
        "Latin",
        "Natulog ang pusa buong araw sa ilalim ng lumang mesa sa kusina.",
        "Kahapon, dalawang oras na nahuli ang tren papuntang London.",
    ),
    "Basque": (
        "Latin",
        "Katuak egun osoa lo egin zuen sukaldeko mahai zaharraren azpian.",
        "Atzo Londreserako trena bi orduko atzerapenarekin iritsi zen.",
    ),
    "Welsh": (
        "Latin",
        "Cysgodd y gath drwy'r dydd o dan hen fwrdd y gegin.",
        "Ddoe cyrhaeddodd y trên i Lundain ddwy awr yn hwyr.",
    ),
    "Albanian": (
        "Latin",
        "Macja fjeti gjithë ditën nën tryezën e vjetër të kuzhinës.",
        "Dje treni për në Londër mbërriti me dy orë vonesë.",
    ),
    "Azerbaijani": (
        "Latin",
        "Pişik bütün günü köhnə mətbəx masasının altında yatdı.",
        "Dünən London qatarı iki saat gecikdi.",
    ),
    "Zulu": (
        "Latin",
        "Ikati lalala usuku lonke ngaphansi kwetafula elidala lasekhishini.",
        "Izolo isitimela esiya eLondon sifike sephuze ngamahora amabili.",
    ),
    "Hausa": (
        "Latin",
        "Kyanwar ta yi barci duk rana a ƙarƙashin tsohon teburin kicin.",
        "Jiya jirgin ƙasan London ya makara da awa biyu.",
    ),
    "Bulgarian": (
        "Cyrillic",
        "Котката спа цял ден под старата кухненска маса.",
        "Вчера влакът за Лондон пристигна с два часа закъснение.",
    ),
    "Serbian": (
        "Cyrillic",
        "Мачка је цео дан спавала испод старог кухињског стола.",
        "Јуче је воз за Лондон стигао са два сата закашњења.",
    ),
    "Belarusian": (
        "Cyrillic",
        "Кошка ўвесь дзень спала пад старым кухонным сталом.",
        "Учора цягнік у Лондан спазніўся на дзве гадзіны.",
    ),
    "Kazakh": (
        "Cyrillic",
        "Мысық күні бойы ас үйдегі ескі үстелдің астында ұйықтады.",
        "Кеше Лондонға баратын пойыз екі сағатқа кешікті.",
    ),
    "Mongolian": (
        "Cyrillic",
        "Муур өдөржин гал тогооны хуучин ширээний доор унтав.",
        "Өчигдөр Лондон явах галт тэрэг хоёр цаг хоцорч ирлээ.",
    ),
    "Urdu": (
        "Arabic",
        "بلی سارا دن باورچی خانے کی پرانی میز کے نیچے سوتی رہی۔",
        "کل لندن جانے والی ریل گاڑی دو گھنٹے دیر سے پہنچی۔",
    ),
    "Pashto": (
        "Arabic",
        "پيشو ټوله ورځ د پخلنځي د زاړه مېز لاندې ويده وه.",
        "پرون لندن ته تلونکی اورګاډی دوه ساعته وروسته راورسېد.",
    ),
    "Marathi": (
        "Devanagari",
        "मांजर दिवसभर स्वयंपाकघरातील जुन्या टेबलाखाली झोपले होते.",
        "काल लंडनला जाणारी गाडी दोन तास उशिरा आली.",
    ),
    "Gujarati": (
        "Gujarati",
        "બિલાડી આખો દિવસ રસોડાના જૂના ટેબલ નીચે સૂતી રહી.",
        "ગઈકાલે લંડન જતી ટ્રેન બે કલાક મોડી આવી.",
    ),
    "Malayalam": (
        "Malayalam",
        "പൂച്ച ദിവസം മുഴുവൻ അടുക്കളയിലെ പഴയ മേശയ്ക്കടിയിൽ ഉറങ്ങി.",
        "ഇന്നലെ ലണ്ടനിലേക്കുള്ള ട്രെയിൻ രണ്ടു മണിക്കൂർ വൈകി എത്തി.",
    ),
    "Sinhala": (
        "Sinhala",
        "බළලා දවස පුරාම කුස්සියේ පරණ මේසය යට නිදාගෙන සිටියේය.",
        "ඊයේ ලන්ඩන් බලා යන දුම්රිය පැය දෙකක් ප්‍රමාද විය.",
    ),
}
