/** CHANGELOG.md, written from the fragments in `changes/`. */
import { listFiles, type Problem, read } from '../rules/files.js'

const KINDS = { added: 'Added', changed: 'Changed', fixed: 'Fixed', removed: 'Removed', security: 'Security' }
type Kind = keyof typeof KINDS

export interface Fragment {
  /** Version of the release, or `next` before it. */
  version: string
  kind: Kind
  text: string
}

const NAME = /^changes\/(next|\d+\.\d+\.\d+)\/[a-z0-9]+(?:-[a-z0-9]+)*\.([a-z]+)\.md$/
const MAX_CHARACTERS = 300

/** The parsed fragment of the changelog, or the reason why the fragment is invalid. */
export const readFragment = (path: string, text: string): Fragment | Problem => {
  const [, version, kind] = NAME.exec(path) ?? []
  if (version === undefined || kind === undefined || !(kind in KINDS))
    return `${path}: name it changes/next/SLUG.KIND.md with a kind of ${Object.keys(KINDS).join(', ')}`
  const line = text.trim()
  if (line === '' || line.includes('\n') || line.length > MAX_CHARACTERS)
    return `${path}: write one line of at most ${MAX_CHARACTERS} characters`
  return line.endsWith('.') ? { version, kind: kind as Kind, text: line } : `${path}: end the line with a period`
}

const number = (version: string): number =>
  version === 'next'
    ? Number.POSITIVE_INFINITY
    : version.split('.').reduce((sum, part) => sum * 1_000 + Number(part), 0)

/** Text of the changelog: newest version first, grouped by kind of change, with the lines of each kind in alphabetical order. */
export const changelog = (fragments: readonly Fragment[]): string => {
  const versions = [...new Set(fragments.map((one) => one.version))].sort((a, b) => number(b) - number(a))
  const section = (version: string): string =>
    (Object.keys(KINDS) as Kind[])
      .map((kind) => [kind, fragments.filter((one) => one.version === version && one.kind === kind)] as const)
      .filter(([, some]) => some.length > 0)
      .map(
        ([kind, some]) =>
          `### ${KINDS[kind]}\n\n${some
            .map((one) => `- ${one.text}\n`)
            .sort()
            .join('')}`,
      )
      .join('\n')
  return `<!-- Written by npm run gen from changes/. -->
# Changelog

${versions.map((version) => `## ${version === 'next' ? 'Next release' : version}\n\n${section(version)}`).join('\n')}`
}

const fragments = (): (Fragment | Problem)[] =>
  listFiles('changes/*/*.md')
    .sort()
    .map((path) => readFragment(path, read(path)))

export const changelogFile = (): string =>
  changelog(fragments().filter((one): one is Fragment => typeof one !== 'string'))

/** Problems of the invalid fragments in `changes/`. */
export const changelogProblems = (): Problem[] => fragments().filter((one) => typeof one === 'string')
