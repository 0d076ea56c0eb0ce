/** Parses handles of accounts that operators type, and finds the account: `alice`, `@alice` or `bob@other.example`. */
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import type { Operator } from './operator.js'

/** Username of a local account, without a leading `@`. Throws for an invalid username. */
export const localName = (given: string): string => {
  const name = given.trim().replace(/^@/, '')
  if (!/^[A-Za-z0-9_]+(?:[A-Za-z0-9_.-]+[A-Za-z0-9_]+)?$/.test(name))
    throw new InvalidArgumentError('It is a user name of this server without a domain, such as alice.')
  return name
}

/** Handle of a local or remote account, without a leading `@`. Throws for an invalid handle. */
export const handleName = (given: string): string => {
  const [name = '', host, ...more] = given.trim().replace(/^@/, '').split('@')
  if (more.length > 0 || host === '') throw new InvalidArgumentError('It is a name such as alice or bob@other.example.')
  return host === undefined ? localName(name) : `${localName(name)}@${host.toLowerCase()}`
}

/** Handle of a remote account. Throws for the handle of a local account, and for an invalid handle. */
export const remoteName = (given: string): string => {
  const handle = handleName(given)
  if (!handle.includes('@')) throw new InvalidArgumentError('It is a name with its server, such as bob@other.example.')
  return handle
}

/** Returns the account with this handle, or null if there is no such account. */
export const findAccount = async (operator: Operator, handle: string): Promise<AccountRecord | null> =>
  (await operator.call(accountRecords, { handles: [handle.toLowerCase()] })).records[0] ?? null

/** Returns the account with this handle. Throws if there is no such account. */
export const accountNamed = async (operator: Operator, handle: string): Promise<AccountRecord> => {
  const found = await findAccount(operator, handle)
  if (!found) throw new Error(`There is no account named ${handle}.`)
  return found
}
