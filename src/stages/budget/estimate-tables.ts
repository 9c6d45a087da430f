/**
 * The estimator's knowledge of the o200k vocabulary: which characters stay together, and the costs of other scripts.
 * Determined by measuring many kinds of text; `benchmarks/token-estimator.ts` shows the effect of a change.
 */

/** Costs are in integer hundredths of a token, so that sums are exact. */
export const TOKEN = 100

/**
 * For each letter and punctuation mark, the characters that usually follow it within one token. Tokens tend to end
 * everywhere else, which distinguishes `container` from `xqzvkbtr`, and text from random characters.
 */
const joins: Readonly<Record<string, string>> = {
  a: 'abcdfghijklmnprstuvxyz',
  b: 'aeloruy',
  c: 'acehiklort',
  d: 'adeios',
  e: 'cdefgklmnqrstwxy',
  f: 'aefilortu',
  g: 'ehlnors',
  h: 'aeiort',
  i: 'abcdefgjklmnoprstvxz',
  j: 'es',
  k: 'eo',
  l: 'adeilostuy',
  m: 'abelmopsy',
  n: 'acdegiostuy',
  o: 'bcdfgiklmnoprstuvwx',
  p: 'aehloprstuy',
  q: 'lqu',
  r: 'acdegimnorstvy',
  s: 'cehikopstu',
  t: 'aehioprsty',
  u: 'abcdefgiklmnprstxz',
  v: 'aeo',
  w: 'ehinorw',
  x: 'at',
  y: 'nps',
  z: 'e',
  '!': `$'(-./<="`,
  '"': `#$%)+,-./:;>@\\]}`,
  '#': `!$[_"`,
  $: '/\\_{',
  '%': '),;@"',
  '&': '#=_',
  "'": '#$%)*+,-./:;<?@]{}',
  '(': '!#$%&\')*+-./:;<@[\\^_`{|"',
  ')': '%&(+,-./:;=\\]_{',
  '*': '(),-./>_',
  '+': '#,.;=\\',
  ',': `$%'()-<{"`,
  '-': '$%*.>\\_"',
  '.': `#$%')*,-/<=@\\_`,
  '/': `#$%'*+-.>?@_{~`,
  ':': `#$%'+-/=[_{~"`,
  ';': `&'<\\}"`,
  '<': '!$(/=>?[_',
  '=': `#$%&'(/<>@[\\_{~"`,
  '>': `%&'(,:<=@\\{"`,
  '?': '!),.:;>\\',
  '[': `$%'(-.:@]_{"`,
  '\\': '/"',
  ']': '()+,./:;<[\\^{"',
  _: '#$(),-./:;<',
  '`': `$',.;{`,
  '{': `$'-@\\}"`,
  '|': '(=\\"',
  '}': '$),-./;<@[\\`{"',
}

/** 1 if a token tends to end between two characters, indexed by their codes with seven bits each. */
export const breaks = new Uint8Array(128 * 128).fill(1)
for (const [first, followers] of Object.entries(joins)) {
  for (const second of followers) breaks[(first.charCodeAt(0) << 7) | second.charCodeAt(0)] = 0
}

/** The same for lowercase Cyrillic letters. */
const cyrillicJoins: Readonly<Record<string, string>> = {
  а: 'бвгдежзийклмнпрстухцчшщюя',
  б: 'аеилоруы',
  в: 'аеиклнорстуы',
  г: 'аеилоруэ',
  д: 'авеинорсуы',
  е: 'бвгджзийклмнпрстхцчшщ',
  ж: 'адеин',
  з: 'авдеимноуы',
  и: 'абвгдежзйклмнопрстхцчшюя',
  й: 'нст',
  к: 'аеилорсту',
  л: 'агдеиноуыьюя',
  м: 'аеинопуы',
  н: 'агдеикостуыья',
  о: 'бвгдежзийклмнпрстфхцчшщя',
  п: 'аеилору',
  р: 'авгдежикмностухыя',
  с: 'авеиклмнопртуыья',
  т: 'авеикнорсуыь',
  у: 'абвгдежзклмнпрстхчшщю',
  ф: 'аеио',
  х: 'аоу',
  ц: 'аеиь',
  ч: 'аеину',
  ш: 'аеикт',
  щ: 'еи',
  ъ: '',
  ы: 'везйклмнпрстхш',
  ь: 'знстш',
  э: 'клнрт',
  ю: 'тщ',
  я: 'вдзмнт',
}
export const CYRILLIC = 0x430
/** Indexed by distance from the first letter, five bits each. */
export const cyrillicBreaks = new Uint8Array(32 * 32).fill(1)
for (const [first, followers] of Object.entries(cyrillicJoins)) {
  const row = (first.charCodeAt(0) - CYRILLIC) << 5
  for (const second of followers) cyrillicBreaks[row | (second.charCodeAt(0) - CYRILLIC)] = 0
}

/**
 * The cost of a UTF-16 unit outside ASCII. A byte-level tokenizer never uses more tokens for a character than it has
 * bytes, which is the default cost.
 */
export const unitCosts = new Uint16Array(0x10000).fill(3 * TOKEN)
unitCosts.fill(2 * TOKEN, 0x80, 0x800)

/**
 * First, last, cost of each unit. Han and kana have their cost within words; all others that of random characters, so
 * that noise is not underestimated.
 */
const prices: readonly (readonly [number, number, number])[] = [
  [0x00a0, 0x00bf, 130], // Latin-1 punctuation
  [0x00c0, 0x00ff, 100], // Western European Latin
  [0x0100, 0x017f, 140], // Central European Latin
  [0x01a0, 0x01a1, 100], // Vietnamese
  [0x01af, 0x01b0, 100],
  [0x0218, 0x021b, 100], // Romanian
  [0x0384, 0x03ce, 115], // Greek
  [0x03ac, 0x03ce, 90],
  [0x0400, 0x040f, 150], // Cyrillic
  [0x0410, 0x042f, 92],
  [0x0430, 0x044f, 30],
  [0x0450, 0x045f, 115],
  [0x0490, 0x04bf, 145],
  [0x04d8, 0x04d9, 100],
  [0x04e8, 0x04e9, 100],
  [0x0531, 0x0589, 115], // Armenian
  [0x05d0, 0x05ea, 74], // Hebrew
  [0x061f, 0x0652, 98], // Arabic
  [0x0660, 0x066c, 100],
  [0x0670, 0x06d5, 150],
  [0x06f0, 0x06f9, 100],
  [0x0901, 0x094d, 110], // Indic scripts
  [0x0964, 0x0970, 100],
  [0x0981, 0x09ce, 126],
  [0x09e6, 0x09f1, 100],
  [0x0a02, 0x0a4d, 137],
  [0x0a82, 0x0acd, 125],
  [0x0b05, 0x0b4d, 155],
  [0x0b85, 0x0bcd, 147],
  [0x0c02, 0x0c4d, 130],
  [0x0c82, 0x0ccd, 128],
  [0x0d02, 0x0d4d, 125],
  [0x0d82, 0x0ddf, 153],
  [0x0e01, 0x0e3a, 105], // Thai
  [0x0e40, 0x0e4e, 115],
  [0x1000, 0x104f, 128], // Burmese
  [0x10d0, 0x10f0, 88], // Georgian
  [0x1780, 0x17d3, 135], // Khmer
  [0x1ea0, 0x1ef9, 123], // Vietnamese Latin
  [0x2009, 0x203f, 120], // typographic marks
  [0x20a0, 0x22ff, 200], // symbols, arrows, mathematics
  [0x2190, 0x2193, 160],
  [0x2300, 0x24ff, 250],
  [0x2500, 0x27bf, 200], // box drawing, symbols
  [0x2500, 0x2502, 150],
  [0x251c, 0x251c, 150],
  [0x2514, 0x2514, 150],
  [0x2550, 0x2551, 150],
  [0x3000, 0x3002, 100], // Chinese and Japanese punctuation
  [0x3005, 0x3016, 100],
  [0x301c, 0x301c, 100],
  [0x3041, 0x30ff, 66], // kana
  [0x4e00, 0x9fff, 100], // Han
  [0xd800, 0xdfff, 100], // unpaired surrogates
  [0xfe0e, 0xfe0f, 100], // variation selectors for text and emoji
  [0xff01, 0xff40, 123], // full-width forms
  [0xfffd, 0xfffd, 100],
]
for (const [first, last, cost] of prices) unitCosts.fill(cost, first, last + 1)

/** The Hangul syllables that are single tokens; the other ten thousand are encoded as bytes. */
const commonHangul =
  '가각간갈감갑값강같개객거건걸검겁것게겠겨격견결겼경계고곡곤골곳공과관광괴교구국군굴궁권귀규균그극근글금급' +
  '기긴길김까깔깨꺼께껴꽃꾸꿈끄끌끔끝끼낌나난날남납났내낸낼냈냐냥너널넘네넷녀녁년념녕노논놀농높놓누눈뉴느는' +
  '늘능니닉닌님닝다닥단닫달담답닷당대댓더덕던덤데델도독돈돌동돼됐되된될됨됩두둘뒤드득든들듯등디딩따때떠떤또' +
  '뜨뜻라락란람랍랑래랙랜램랩랫략량러럭런럴럼럽렇레렉렌렛려력련렬렴렵렸령례로록론롤롭롯뢰료루룸룹류률르른를' +
  '름리릭린릴림립릿링마막만많말맛망맞매맥맨머먹먼멀메멘며면명몇모목몬몰몸못무문물뮤므미민밀밍및바박밖반받발' +
  '밤방배백버번벌범법베벤벨벽변별병보복본볼봉봐봤부북분불붙뷰브블비빈빌빙빛빠뿐쁘쁜사삭산살삼상새색생샵서석' +
  '선설섭성세센셀셔션셜셨소속손솔송쇄쇼수숙순술숨쉬쉽슈스슨슬슴습슷승시식신실심십싱싶싸써쓰쓴씀씨씩씬아악안' +
  '않알암압았앙앞애액앤앨야약양어억언얼엄업없엇었에엔엘여역연열염였영예오옥온올옵와완왔왕왜외요욕용우욱운울' +
  '움웃워원월웠웨웹위윈유육윤율융으은을음응의익인일읽임입있자작잔잘잠잡장재쟁저적전절점접정제젝젠져졌조족존' +
  '좀종좋좌죄죠주죽준줄중줘즈즌즐즘증지직진질짐집짓징짜짝째쪽찌찍차착찬찮찰참창찾채책처척천철첨첫청체쳐쳤초' +
  '촉촌총최추축춘출춤충춰취츠측층치칙친칠침칭카칼캐커컨컬컴컵케켓켜코콘콜콩쿠큐크큰클큼키킨킬킹타탁탄탈탕태' +
  '택터턴털테텍텐텔템토톡톤통퇴투튀튜트특튼틀티틱틴팀팅파판팔패팩팬퍼페펴편평폐포폭폰폴폼표푸풀품풍퓨프픈플' +
  '피픽핀필핏핑하학한할함합항해했행향허헌험헤혀혁현혈협형혜호혹혼홀홈홍화확환활황회획효후훈휘휴흡흥희히힌힘'
for (const syllable of commonHangul) unitCosts[syllable.charCodeAt(0)] = TOKEN

/** Characters used to draw lines: the vocabulary has long runs of them. */
export const lineCharacters: ReadonlySet<number> = codesOf('\u00a0\u200b–—…─━═█□★\u3000！＊＝\ufffd')

export function codesOf(characters: string): ReadonlySet<number> {
  return new Set(Array.from(characters, (character) => character.charCodeAt(0)))
}
