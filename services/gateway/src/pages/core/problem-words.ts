/** Translates the English error messages of the services into the language of the page. */
import { deProblems } from '../words/de-problems.js'
import { languageNow } from './language.js'

type Words = Readonly<Record<string, string>>

const PROBLEMS: Readonly<Record<string, Words>> = { de: deProblems }

interface Known {
  readonly whole: Words
  /** Sentences with names or numbers in them. */
  readonly patterns: readonly (readonly [RegExp, string])[]
  /** Names of fields with which a sentence may begin, the longest first. */
  readonly fields: readonly string[]
}

const knownIn = (problems: Words): Known => ({
  whole: problems,
  patterns: Object.entries(problems)
    .filter(([text]) => text.includes('%s'))
    .map(([text, meaning]) => {
      const parts = text.split('%s').map((part) => RegExp.escape(part))
      return [new RegExp(`^${parts.join('(.+)')}$`), meaning] as const
    }),
  fields: Object.keys(problems)
    .filter((text) => /^\p{Lu}[\w -]*$/u.test(text))
    .sort((a, b) => b.length - a.length),
})

const KNOWN: ReadonlyMap<string, Known> = new Map(
  Object.entries(PROBLEMS).map(([code, problems]) => [code, knownIn(problems)]),
)

/** One thing in the words of a language; undefined where there are none. */
const meaningOf = (known: Known, text: string): string | undefined => {
  const whole = known.whole[text]
  if (whole !== undefined) return whole
  for (const [pattern, meaning] of known.patterns) {
    const found = pattern.exec(text)
    if (found) {
      const given = found.slice(1).values()
      return meaning.replaceAll('%s', () => given.next().value ?? '')
    }
  }
  const field = known.fields.find((name) => text.startsWith(`${name} `))
  const wrong = field === undefined ? undefined : meaningOf(known, text.slice(field.length + 1))
  return wrong === undefined ? undefined : `${known.whole[field ?? '']} ${wrong}`
}

/** A sentence of a service, with or without its full stop; one that nobody knows stays as it is. */
export const sayProblem = (sentence: string): string => {
  const known = KNOWN.get(languageNow())
  if (!known) return sentence
  const bare = sentence.replace(/\.$/, '')
  return meaningOf(known, sentence) ?? meaningOf(known, bare)?.concat(bare === sentence ? '' : '.') ?? sentence
}
