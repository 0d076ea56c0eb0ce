/** Terms of full-text search: folding, unspaced scripts, and finding a part of a text. */
import { describe, expect, test } from 'vitest'
import {
  earlierPhraseTerms,
  earlierPrefixPhrases,
  foldText,
  indexTerms,
  nameTerms,
  phraseTerms,
  prefixPhrases,
} from './search-terms.js'

/** Whether the text contains the phrase, by the rules of the database. */
const finds = (phrase: string, text: string): boolean => {
  const [terms, wanted] = [indexTerms(text), phraseTerms(phrase)]
  const fits = (term: string | undefined, want: string): boolean =>
    want.endsWith('*') ? term?.startsWith(want.slice(0, -1)) === true : term === want
  return wanted.length > 0 && terms.some((_, at) => wanted.every((want, i) => fits(terms[at + i], want)))
}

test.each([
  ['Straße', 'strasse'],
  ['ŁÓDŹ', 'lodz'],
  ['Ærø', 'aero'],
  ['İstanbul ısı', 'istanbul isi'],
  ['Þingvellir', 'thingvellir'],
  ['ﬁsh Ⅷ', 'fish viii'],
  ['ΟΔΌΣ οδός', 'οδοσ οδοσ'],
  ['Ёлка', 'елка'],
  ['كِتَاب', 'كتاب'],
  ['שָׁלוֹם', 'שלום'],
  ['ｶﾞﾝﾀﾞﾑ', 'ガンダム'],
  ['한국어', '한국어'],
  ['soft\u00adhyphen', 'softhyphen'],
  ['ᴀɴɴᴀ Sᴄʜᴍɪᴅᴛ ꜰᴏx', 'anna schmidt fox'],
  ['علی کتاب مكتبة', 'علي كتاب مكتبه'],
  ['गाज़ियाबाद', 'गाजियाबाद'],
  ['١٢٣ ۴۵۶ १२ ๔๒ 𝟙𝟚 ９', '123 456 12 42 12 9'],
  ['\u{116d9}\u{116da}\u{116e3}', '909'],
  ['Əliyev Ɓala Ƙwara', 'eliyev bala kwara'],
  ['葛\u{e0100}城 渡邉\u{e0102}', '葛城 渡邉'],
  ['か\u{e01ef}\u3099', 'が'],
  ['ᠮᠣᠩ\u180bᠭᠣᠯ\u180e\u180f', 'ᠮᠣᠩᠭᠣᠯ'],
  ['🅐🅩 🅰🅽🅽🅰 🅉 Ⓐⓩ', 'az anna z az'],
])('%s is folded to %s, and folding again changes nothing', (text, folded) => {
  expect(foldText(text)).toBe(folded)
  expect(foldText(folded)).toBe(folded)
})

test('a phrase has its terms in the form of the release before, which kept letters of further scripts', () => {
  const text = 'علی كِتَاب ज़मीन ऩ १२ Əliyev ᴀɴɴᴀ'
  const terms = ['علی', 'كتاب', 'ज़मीन', 'ऩ', '१२', 'əliyev', 'anna']
  expect(earlierPhraseTerms(text)).toEqual(terms.map((term) => term.normalize('NFC')))
  expect(earlierPrefixPhrases('علی Əli')).toEqual([['علی*'], ['əli*']])
  expect(earlierPhraseTerms('葛\u{e0100}城')).toEqual(['葛', '\u{e0100}', '城*'])
  expect(earlierPhraseTerms('п\u02bcять')).toEqual(['пять'])
})

describe('a phrase', () => {
  test.each([
    ['東京', '今日は東京タワーに行った'],
    ['東京タワー', '今日は東京タワーに行った'],
    ['京タ', '今日は東京タワーに行った'],
    ['京', '今日は東京タワーに行った'],
    ['た', '今日は東京タワーに行った'],
    ['日は東京 ', '今日は東京タワーに行った'],
    ['人民', '中华人民共和国'],
    ['서울', '서울에서 만나요'],
    ['กรุงเทพ', 'ไปกรุงเทพมหานครกัน'],
    ['ភាសា', 'ខ្ញុំនិយាយភាសាខ្មែរ'],
    ['tower', '東京towerに行く'],
    ['東京tower', '私は東京tower'],
    ['第3回', '第3回大会'],
    ['葛城', '奈良県葛\u{e0100}城市'],
    ['葛\u{e0100}城', '奈良県葛城市'],
    ['strasse', 'An der Straße'],
    ['STRASSE', 'An der Straße'],
    ['straße', 'an der Strasse'],
    ['cafe', 'Café'],
    ['café', 'cafe'],
    ['quick brown', 'the quick, brown fox'],
    ["п'ять", 'п\u02bcять'],
    ['п\u02bcять', "п'ять"],
    ['п’ять', 'п\u02bcять'],
    ["c'hoar", 'ur c\u02bchoar'],
    ['Hawai\u02bbi', "Hawai'i"],
    ["qur'an", 'Qur\u02beān'],
    ['ʿAlī', 'Ali'],
  ])('%s is found in %s', (phrase, text) => {
    expect(finds(phrase, text)).toBe(true)
  })

  test.each([
    ['京都', '東京タワー'],
    ['東京都', '東京タワー'],
    ['東京 タワー', 'タワー東京'],
    ['cat', 'concatenate'],
    ['…', 'anything …'],
  ])('%s is not found in %s', (phrase, text) => {
    expect(finds(phrase, text)).toBe(false)
  })
})

test('a name is found by word prefixes, by parts of words in unspaced scripts, and by its emoji', () => {
  expect(nameTerms('🐘 Anna_Schmidtke 田中太郎 🇩🇪')).toEqual([
    '🐘',
    'anna',
    'schmidtke',
    '田中',
    '中太',
    '太郎',
    '郎',
    '🇩🇪',
  ])
  expect(prefixPhrases('Schm ann 太郎 郎 🐘')).toEqual([['schm*'], ['ann*'], ['太郎'], ['郎*'], ['🐘*']])
  expect(prefixPhrases('"-!')).toEqual([])
})

test.each([
  ["Pat O'Brien", ['pat', 'o', 'brien', 'obrien']],
  ['O’Brien', ['o', 'brien', 'obrien']],
  ['Kaʻahumanu', ['kaahumanu', 'ka', 'ahumanu']],
  ['Jean-Luc', ['jean', 'luc', 'jeanluc']],
  ['J.R.R. Tolkien', ['j', 'r', 'r', 'tolkien', 'jrr']],
  ["'Anna' - „Lena“", ['anna', 'lena']],
  ['渡邉\u{e0102}太郎', ['渡邉', '邉太', '太郎', '郎']],
  ['東京 東京', ['東京', '京', '東京', '京']],
])('the name %j is also found without the marks within its words', (name, terms) => {
  expect(nameTerms(name)).toEqual(terms)
})

test('very long texts and words are cut, and stay well-formed', () => {
  expect(indexTerms('a'.repeat(100_000))).toEqual(['a'.repeat(2_000)])
  expect(indexTerms('ﷺ'.repeat(100_000)).length).toBeLessThanOrEqual(20_000)
  expect(indexTerms('東'.repeat(100_000))).toHaveLength(20_000)
  expect(indexTerms('क'.repeat(5_000))).toEqual(['क'.repeat(666)])
  expect(indexTerms('𐓘'.repeat(5_000)).every((term) => term.isWellFormed() && Buffer.byteLength(term) <= 2_000)).toBe(
    true,
  )
})
