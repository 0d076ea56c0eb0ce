/**
 * Splits texts and queries into the terms of a full-text index. The same text gives the same terms in the index and in
 * a query, in every language.
 */

/** Maximum UTF-16 units of a text that are indexed. */
const MAX_TEXT = 20_000
/** Maximum bytes of a term. PostgreSQL refuses lexemes of 2,047 bytes or more. */
const MAX_TERM = 2_000

// Ignored characters: accents, Arabic and Hebrew vowel points, modifier apostrophes, and characters without width.
const IGNORED =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the marks are meant one by one
  /[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u02b9-\u02bf\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u00ad\u200b-\u200f\u2060\ufeff]+/g

/** Small capitals of `abcdefghijklmnopqrstuvwyz`, in this order. Users decorate names with small capitals. */
const SMALL_CAPITALS = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ'

/** Letters that Unicode does not decompose, with their usual plain spelling. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
  ĸ: 'k',
  ς: 'σ',
  ...Object.fromEntries([...SMALL_CAPITALS].map((letter, i) => [letter, 'abcdefghijklmnopqrstuvwyz'.charAt(i)])),
}
/** Plain spelling of letters of further scripts. `earlierFold` does not replace them. */
const SCRIPT_PLAIN: Readonly<Record<string, string>> = {
  // Letters that are encoded differently in Arabic, Persian and Urdu.
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ڪ: 'ك',
  ة: 'ه',
  ہ: 'ه',
  // Azerbaijani and West African letters.
  ə: 'e',
  ǝ: 'e',
  ɛ: 'e',
  ɔ: 'o',
  ɓ: 'b',
  ɖ: 'd',
  ɗ: 'd',
  ƒ: 'f',
  ɣ: 'g',
  ɨ: 'i',
  ƙ: 'k',
  ɲ: 'n',
  ʉ: 'u',
  ʋ: 'v',
  ƴ: 'y',
}
/**
 * Capital letters in filled circles and squares, which Unicode classifies as symbols. Each block contains the whole
 * alphabet.
 */
const FILLED = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
const SCRIPT_SPECIAL = new RegExp(`[${Object.keys(SCRIPT_PLAIN).join('')}]`, 'g')
/** Selectors of the variants of ideographs and Mongolian letters, which are ignored. */
const VARIANT = /[\u180b-\u180f\u{e0100}-\u{e01ef}]/gu
/** Dots below Indic letters (nukta), which are ignored in searches. */
const NUKTA = /[\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc]/g
/** Decimal digits except ASCII digits, which are folded already. */
const DIGIT = /(?![0-9])\p{Nd}/gu

const unfilled = (letter: string): string =>
  String.fromCharCode(0x61 + (((letter.codePointAt(0) as number) - 0x1f150) % 0x20))

/**
 * The digit from 0 to 9 that a decimal digit of any script means. Unicode has the ten digits of each script in order,
 * so the number of digits before a digit gives its value.
 */
const westernDigit = (digit: string): string => {
  const code = digit.codePointAt(0) as number
  let first = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--
  return String((code - first) % 10)
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu
const WORD_OR_EMOJI = /[\p{L}\p{M}\p{N}]+|\p{RI}{2}|(?!\p{RI})\p{Extended_Pictographic}/gu
/**
 * Scripts that do not separate words by spaces, or attach endings to words. Texts of these scripts are split into pairs
 * of characters.
 */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\p{scx=Yi}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu

/** Folds case, accents and compatibility forms. The result is decomposed (NFKD). */
const foldParts = (text: string): string => {
  // The decomposed text is cut again, because some characters decompose into many characters.
  const decomposed = text.slice(0, MAX_TEXT).toWellFormed().normalize('NFKD').replace(IGNORED, '').slice(0, MAX_TEXT)
  const lower = decomposed.toWellFormed().normalize('NFC').toLowerCase().normalize('NFKD').replace(IGNORED, '')
  return lower.replace(SPECIAL, (letter) => PLAIN[letter] ?? letter).replace(FILLED, unfilled)
}

/**
 * Folds case, accents, compatibility forms, and the letters and digits of many scripts.
 *
 * @example foldText('Straße, Łódź, ＣＡＦÉ') // 'strasse, lodz, cafe'
 */
export const foldText = (text: string): string =>
  foldParts(text)
    .replace(VARIANT, '')
    .replace(NUKTA, '')
    .replace(SCRIPT_SPECIAL, (letter) => SCRIPT_PLAIN[letter] ?? letter)
    .replace(DIGIT, westernDigit)
    .normalize('NFC')

/**
 * Folds text like the previous release, without variant selectors and without the letters and digits of further
 * scripts. Older rows of an index have this form.
 */
const earlierFold = (text: string): string => foldParts(text).normalize('NFC')

/** Letters that are used as apostrophes, such as the okina. */
const LETTER_APOSTROPHE = /[\u02b9-\u02bf]/g
/** Replaces letters that are used as apostrophes, so that both spellings of a word give the same terms. */
const withApostrophes = (text: string): string => text.replace(LETTER_APOSTROPHE, "'")
/** Folds a text whose apostrophes separate terms, also those that are letters. */
const foldWords = (text: string): string => foldText(withApostrophes(text))

const cut = (word: string): string =>
  word.length * 3 <= MAX_TERM
    ? word
    : Buffer.from(word)
        .subarray(0, MAX_TERM)
        .toString()
        .replace(/\ufffd+$/, '')

interface Run {
  text: string
  unspaced: boolean
}

/** Words of a text, split where a script without spaces between words begins or ends. */
const runsOf = (text: string, pattern = WORD, fold = foldText): Run[] => {
  const runs: Run[] = []
  const add = (part: string, unspaced: boolean): void => {
    if (part !== '') runs.push({ text: unspaced ? part : cut(part), unspaced })
  }
  for (const [word] of fold(text).matchAll(pattern)) {
    let at = 0
    for (const match of word.matchAll(UNSPACED)) {
      add(word.slice(at, match.index), false)
      add(match[0], true)
      at = match.index + match[0].length
    }
    add(word.slice(at), false)
  }
  return runs
}

/** Overlapping pairs of the characters of a text, then the last character alone. */
const pairsOf = (text: string): string[] => {
  const characters = [...text]
  return characters.map((one, i) => one + (characters[i + 1] ?? ''))
}

/**
 * Pairs of a run at the end of a query, whose word may be unfinished. The single last character is left out; a run of
 * one character becomes a prefix.
 */
const openPairsOf = (text: string): string[] => {
  const pairs = pairsOf(text)
  return pairs.length === 1 ? [`${pairs[0]}*`] : pairs.slice(0, -1)
}

/**
 * Terms of a text to index, in order.
 *
 * @example indexTerms('Café 東京都') // ['cafe', '東京', '京都', '都']
 */
export const indexTerms = (text: string): string[] =>
  runsOf(text, WORD, foldWords).flatMap((run) => (run.unspaced ? pairsOf(run.text) : [run.text]))

/**
 * Terms of a phrase to find. The terms must be adjacent. A term that ends with `*` is a prefix.
 *
 * @example phraseTerms('東京') // ['東京']
 */
export const phraseTerms = (text: string, fold = foldWords): string[] => {
  const runs = runsOf(text, WORD, fold)
  return runs.flatMap((run, i) => {
    if (!run.unspaced) return [run.text]
    return i === runs.length - 1 ? openPairsOf(run.text) : pairsOf(run.text)
  })
}

/** Like `phraseTerms`, in the form of the previous release, for rows that were not indexed again since. */
export const earlierPhraseTerms = (text: string): string[] => phraseTerms(text, earlierFold)

/** Marks within a name that users often omit in a search: apostrophes, hyphens and full stops. */
const LEFT_OUT = /['\u2018\u2019\u201b\u2032`\u00b4\uff07\u05f3\u05f4.\u2010\u2011-]+/g
const WITH_MARKS = /[\p{L}\p{M}\p{N}'\u2018\u2019\u201b\u2032`\u00b4\uff07\u05f3\u05f4.\u2010\u2011-]+/gu

const termsOf = (text: string): string[] =>
  runsOf(text, WORD_OR_EMOJI).flatMap((run) => (run.unspaced ? pairsOf(run.text) : [run.text]))

/**
 * Terms of a name to index: the terms of its text, each emoji, and each word without the apostrophes and hyphens within
 * it.
 *
 * @example nameTerms("Pat O'Brien") // ['pat', 'o', 'brien', 'obrien']
 */
export const nameTerms = (text: string): string[] => {
  const plain = withApostrophes(text.slice(0, MAX_TEXT))
  const joined = [...plain.matchAll(WITH_MARKS)].map(([word]) => word.replace(LEFT_OUT, ' ').trim())
  const words = joined.filter((word) => word.includes(' ')).map((word) => word.replaceAll(' ', ''))
  const terms = [...termsOf(text), ...(plain === text.slice(0, MAX_TEXT) ? [] : termsOf(plain))]
  // Only terms that the text does not have are added, and only at the end. The terms of the text keep their positions,
  // because phrases need adjacent terms.
  const known = new Set(terms)
  return [...terms, ...termsOf(words.join(' ')).filter((term) => !known.has(term))]
}

/**
 * Phrases to find a name by the beginnings of its words, in any order. Each word of the text gives one phrase.
 *
 * @example prefixPhrases('Anna schm 太郎') // [['anna*'], ['schm*'], ['太郎']]
 */
export const prefixPhrases = (text: string, fold = foldText): string[][] =>
  runsOf(text, WORD_OR_EMOJI, fold).map((run) => (run.unspaced ? openPairsOf(run.text) : [`${run.text}*`]))

/** Like `prefixPhrases`, in the form of the previous release, for rows that were not indexed again since. */
export const earlierPrefixPhrases = (text: string): string[][] => prefixPhrases(text, earlierFold)
