/**
 * Checks that migrations are not edited later, name their step (expand, move or contract) in the first line, and take
 * no lock that blocks writes.
 */
import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { type Problem, read, sources } from './files.js'

export const LEDGER = 'docs/reference/migrations.json'

/**
 * Migrations that are exempt from the rule for the newest migration of a service, because they are older than the rule.
 * Their tables were small.
 */
const EXEMPT = new Set(['services/accounts/migrations/0121_domain_blocks_to.sql'])

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

export const migrationDigests = (): Record<string, string> =>
  Object.fromEntries(
    sources('services/*/migrations/*.sql', 'packages/db/migrations/*.sql').map((file) => [
      file.path,
      digest(file.text),
    ]),
  )

export const landed = (): Record<string, string> => {
  try {
    return JSON.parse(read(LEDGER)) as Record<string, string>
  } catch {
    return {}
  }
}

export const migrationRules = (): Problem[] => {
  const known = landed()
  const files = sources('services/*/migrations/*.sql', 'packages/db/migrations/*.sql')
  const first = new Set([...new Map(files.toReversed().map((file) => [dirname(file.path), file.path])).values()])
  return [
    ...Object.keys(known)
      .filter((path) => !files.some((file) => file.path === path))
      .map((path) => `${path} landed and is gone: migrations are never removed`),
    ...files.flatMap((file) => {
      const problems: Problem[] = []
      const before = known[file.path]
      if (before && before !== digest(file.text))
        problems.push(`${file.path} landed and was edited: write a new migration`)
      if (!/^-- (expand|move|contract):/.test(file.text))
        problems.push(`${file.path} does not say on its first line whether it expands, moves or contracts`)
      if (
        !first.has(file.path) &&
        !EXEMPT.has(file.path) &&
        /create (unique )?index (?!concurrently)/i.test(file.text) &&
        !/create table/i.test(file.text)
      )
        problems.push(`${file.path} makes an index on an existing table without concurrently`)
      return problems
    }),
  ]
}
