/**
 * Checks that each message in the sources has a translation in each language, and each translation a message. Messages
 * and translations must be valid ICU messages with the arguments that the sources pass.
 */
import { type Catalogue, readCatalogue } from '@murmuration/messages/catalogue'
import { argumentsOf } from '@murmuration/messages/message-arguments'
import { type Problem, type SourceFile, sources } from './files.js'
import { type FoundMessage, messagesIn } from './message-source.js'

const HOW = 'docs/how-to/add-a-language.md'
const LOCALES = 'packages/messages/locales'

const tryArguments = (text: string): string[] | null => {
  try {
    return argumentsOf(text)
  } catch {
    return null
  }
}

const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '))
const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join() === b.join()

/** Names in the braces of a text. Braces that contain more than a name are left out. */
const plainNames = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].toSorted()

const sourceProblems = ({ text, at, args, isError }: FoundMessage): Problem[] => {
  const expected = tryArguments(text)
  if (expected === null) return [`${at} "${text}" is not a valid ICU message`]
  if (isError && !isSame(expected, plainNames(text)))
    return [`${at} "${text}" is the text of an error: it has plain arguments only`]
  return args === null || isSame(expected, args.toSorted())
    ? []
    : [`${at} "${text}" has the arguments ${listed(expected)} and receives ${listed(args)}`]
}

const translationProblems = (file: string, text: string, translation: string): Problem[] => {
  const given = tryArguments(translation)
  if (given === null) return [`${file} the translation of "${text}" is not a valid ICU message`]
  const expected = tryArguments(text) ?? []
  return translation === '' || isSame(expected, given)
    ? []
    : [`${file} the translation of "${text}" has the arguments ${listed(given)} instead of ${listed(expected)}`]
}

/** Problems of the messages in source files and of their translations in a catalogue. */
export const messageProblems = (files: readonly SourceFile[], catalogue: Catalogue): Problem[] => {
  const found = files.map(messagesIn)
  const messages = found.flatMap((one) => one.messages)
  const used = new Map(messages.map((message) => [message.text, message]))
  const problems = [...found.flatMap((one) => one.problems), ...messages.flatMap(sourceProblems)]
  for (const [language, topics] of catalogue) {
    const places = new Map<string, string>()
    for (const [topic, translations] of topics)
      for (const [text, translation] of Object.entries(translations)) {
        const file = `${LOCALES}/${language}/${topic}.json`
        const other = places.get(text)
        places.set(text, file)
        if (other !== undefined) problems.push(`${file} "${text}" is also in ${other}: remove one of them`)
        if (!used.has(text)) problems.push(`${file} no source has the message "${text}": remove it`)
        problems.push(...translationProblems(file, text, translation))
      }
    for (const { text, at } of used.values())
      if (!places.has(text)) problems.push(`${at} "${text}" is not in ${LOCALES}/${language}: add it there (${HOW})`)
  }
  return problems
}

export const messageRules = (): Problem[] =>
  messageProblems(
    sources('services/*/src/*.ts', 'packages/*/src/*.ts').filter(
      ({ path }) => !path.endsWith('.test.ts') && !path.startsWith('packages/messages/'),
    ),
    readCatalogue(),
  )
