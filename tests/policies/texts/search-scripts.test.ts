import { describe, expect, it } from 'vitest';
import { fold } from '#app/ui/languages/fold.ts';
import { seededRandom } from '../../seeded-random.ts';
import { openDatabase } from '../fixtures.ts';

const { ask, owner, value, solution, topic } = openDatabase();

async function described(description: string) {
  const id = await solution('approved');
  await owner('update solutions set description = $2 where id = $1', [id, description]);
  return id;
}
const total = async (search: string) =>
  (await ask<{ total: number }>('visitor', 'browse_solutions', { search })).total;

/** What is written in each script, with the letters by which texts are made up. */
const SCRIPTS: Record<string, { text: string; isUnspaced?: true }> = {
  Chinese: { text: '我们用三维打印制作了一个轻便的上肢假肢接受腔，患者每天佩戴八小时。', isUnspaced: true },
  Japanese: {
    text: '３Ｄプリンタで軽い義足のソケットを作りました。患者は毎日使っています。',
    isUnspaced: true,
  },
  Thai: { text: 'เราพิมพ์เบ้าขาเทียมที่เบาและผู้ป่วยใส่ได้ทั้งวัน', isUnspaced: true },
  Khmer: { text: 'យើងបានបោះពុម្ពជើងសិប្បនិម្មិតស្រាលមួយ', isUnspaced: true },
  Lao: { text: 'ພວກເຮົາພິມຂາທຽມທີ່ເບົາ', isUnspaced: true },
  Burmese: { text: 'ကျွန်ုပ်တို့သည်ခြေတုကိုပုံနှိပ်ခဲ့သည်', isUnspaced: true },
  Korean: { text: '우리는 가벼운 의족소켓을 인쇄했습니다.', isUnspaced: true },
  Hindi: { text: 'हमने हल्का कृत्रिम पैर छापा और रोगी ने उसे पूरे दिन पहना।' },
  Arabic: { text: 'طبعنا تجويفًا خفيفًا لطرف صناعي، ويرتديه المريض كل يوم.' },
  Hebrew: { text: 'הדפסנו תותבת קלה לרגל והמטופל לובש אותה כל יום.' },
  Russian: { text: 'Мы напечатали лёгкую гильзу протеза, и пациент носит её каждый день.' },
  Greek: { text: 'Εκτυπώσαμε μια ελαφριά θήκη προσθετικού άκρου.' },
  Vietnamese: { text: 'Chúng tôi đã in một ổ mỏm cụt nhẹ cho bệnh nhân.' },
  German: { text: 'Wir haben einen leichten Schaft gedruckt, den die Patientin täglich trägt.' },
};

describe('search in every script', () => {
  for (const [script, { text, isUnspaced }] of Object.entries(SCRIPTS))
    it(`finds ${script} by any word of it, and what is not in it by none`, async () => {
      // Long enough for a description.
      await described(`${text} ${'1'.repeat(40)}`);
      const random = seededRandom(script);
      const letters = [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)].map(
        ({ segment }) => segment,
      );
      const words = text.split(/[\s，。,.।、]+/u).filter(Boolean);
      for (let n = 0; n < 25; n += 1) {
        let part: string;
        if (isUnspaced) {
          const from = random(letters.length - 1);
          part = letters.slice(from, from + 1 + random(6)).join('');
        } else part = words[random(words.length)] ?? '';
        if (/^[\s\p{P}]*$/u.test(part)) continue;
        expect(await total(part), part).toBe(1);
        expect(await total(`${part} quokka`), part).toBe(0);
      }
      if (isUnspaced) expect(await total([...letters].reverse().slice(0, 9).join(''))).toBe(0);
    });

  it.each([
    ['مريض', 'كان المَرِيضُ سعيدًا بالتجويف الجديد الذي صنعناه له في الورشة الصغيرة'],
    ['الأطراف', 'مركز الاطراف الصناعية في المدينة يصنع الأطراف منذ ثلاثين عامًا أو أكثر'],
    ['تجويف', 'صنعنا تجـــويف خفيفًا يرتديه المريض كل يوم من الصباح حتى المساء'],
    ['שלום', 'שָׁלוֹם לכל המטופלים שלנו שקיבלו תותבת חדשה ונוחה יותר לשימוש יומי'],
    ['5 μm', 'A layer of 5 µm was sprayed on the inside of the socket, which then held.'],
    ['µm', 'A layer of 5 μm was sprayed on the inside of the socket, which then held.'],
    ['prosthesis', 'The pros\u00ADthesis was light, and the person who wears it says so every day.'],
    ['prosthesis', 'The pros\u200Bthesis was light, and the person who wears it says so every day.'],
    ['pros\u00ADthesis', 'The prosthesis was light, and the person who wears it says so every day.'],
    ['ＰＥＴＧ', 'The socket was printed from PETG, and the person who wears it is content.'],
    ['petg', 'The socket was printed from ＰＥＴＧ, and the person who wears it is content.'],
    ['prothèse', 'Une prothe\u0300se légère, que la personne porte tous les jours sans douleur aucune.'],
    ['office', 'Fitted in the oﬃce of a colleague, who had the tools that were needed for it.'],
    ['ज़मीन', 'जमीन पर चलने के लिए हमने एक हल्का कृत्रिम पैर बनाया और रोगी ने उसे पहना।'],
    [
      'ﾌﾟﾘﾝﾀ',
      '３Ｄプリンタで軽い義足のソケットを作りました。患者は毎日使っています。とても軽いです。何も問題はありません。以上です、ありがとう。',
    ],
  ])('takes ways of writing the same for one: %s', async (search, text) => {
    await described(text);
    expect(await total(search)).toBe(1);
  });

  it('takes terms of such scripts for synonyms, and joins what it suggests', async () => {
    await owner("insert into search_synonyms (terms) values ('{上肢假肢,upper limb}')");
    const id = await described('一个轻便的上肢假肢，患者每天佩戴八小时，没有疼痛。'.repeat(3));
    expect(await total('upper limb')).toBe(1);
    await owner('update solutions set description = $2 where id = $1', [
      id,
      'An upper limb device that is worn for eight hours a day.',
    ]);
    expect(await total('上肢假肢')).toBe(1);
    expect(
      await value("select private.joined_words(private.search_words('上肢假肢 3D打印ok ขาเทียม pla'))"),
    ).toBe('上肢假肢 3d 打印 ok ขาเทียม pla');
  });

  it('finds topics of the forum by them', async () => {
    const id = await topic('author');
    await owner('update forum_topics set description = $2 where id = $1', [id, SCRIPTS.Chinese?.text]);
    const found = (search: string) => ask('visitor', 'browse_forum', { search });
    expect(await found('上肢假肢')).toMatchObject({ total: 1 });
    expect(await found('下肢假肢')).toMatchObject({ total: 0 });
  });

  it('follows the same rules as the marks in its results', async () => {
    const texts = [
      ...Object.values(SCRIPTS).map(({ text }) => text),
      'Ærø, Łódź, Straße, İstanbul, ısı, þing, Ñandú, Øre, Hausa ƙwarai ɗan ɓangare, ﬁt, ①, ½, Å, ё, Й',
      'مَرِيضٌ أإآٱىیک شِ שָׁלוֹם ज़ क़ ５μm µ ﾌﾟ ガ　e\u0301',
    ];
    const words = (text: string) => text.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);
    for (const text of texts)
      expect(words(fold(text).folded), text).toEqual(
        words(String(await value('select private.normalized($1)', [text]))),
      );
  });
});
