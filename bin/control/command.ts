/** What a command of the operator is: its usage, its flags, and what it prints. */
import type { Operator } from './operator.js'

export interface Flags {
  json?: boolean | undefined
  email?: string | undefined
  password?: string | undefined
  role?: string | undefined
  confirmed?: boolean | undefined
  scopes?: string | undefined
  service?: string | undefined
  from?: string | undefined
  to?: string | undefined
  at?: string | undefined
  category?: string | undefined
  check?: boolean | undefined
  severity?: string | undefined
  'reject-media'?: boolean | undefined
  'reject-reports'?: boolean | undefined
  comment?: string | undefined
  'private-comment'?: string | undefined
  obfuscate?: boolean | undefined
  'dry-run'?: boolean | undefined
  'expires-in'?: string | undefined
  'allow-with-approval'?: boolean | undefined
  exact?: boolean | undefined
  hint?: string | undefined
  priority?: string | undefined
  before?: string | undefined
  unavailable?: boolean | undefined
}

export interface Result {
  /** What `--json` prints. */
  data: unknown
  text: string
  code?: number
}

export interface Command {
  name: string
  usage: string
  about: string
  run(operator: Operator, args: string[], flags: Flags): Promise<Result>
}

/** One sentence when an argument is missing. */
export const needed = (value: string | undefined, what: string): string => {
  if (!value) throw new Error(`${what} is missing.`)
  return value
}
