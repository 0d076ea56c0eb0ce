/** Differences of the client API for which docs/reference/api-differences.md gives a reason. */
import { readFileSync } from 'node:fs'

const PAGE = new URL('../../docs/reference/api-differences.md', import.meta.url)

/** Pattern of an explained difference, in which `*` matches any text. One explanation can therefore apply to a member of many responses. */
const pattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
      .join('.*')}$`,
  )

/** Reads the differences in the first column of the tables in docs/reference/api-differences.md. */
const explanations = (): string[] =>
  [...readFileSync(PAGE, 'utf8').matchAll(/^\| `([^`]+)` \| \S.* \|$/gm)].map((match) => match[1] as string)

/** Returns differences without an explanation, and explanations without a difference. */
export const explained = (differences: readonly string[]): { open: string[]; stale: string[] } => {
  const reasons = explanations().map((text) => ({ text, matches: pattern(text) }))
  return {
    open: differences.filter((difference) => !reasons.some(({ matches }) => matches.test(difference))),
    stale: reasons.filter(({ matches }) => !differences.some((one) => matches.test(one))).map(({ text }) => text),
  }
}
