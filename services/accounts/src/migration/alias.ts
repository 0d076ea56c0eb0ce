/** Renders the aliases of an account. Aliases whose accounts are stored here are shown by handle. */
import type { Alias } from '@murmuration/contracts/accounts'
import type { Reader } from '@murmuration/db'
import { type AccountRow, accountsByUris } from '../core/account/store.js'
import { acctOf } from '../core/account/view.js'

export const aliasOf = (row: AccountRow, localDomain: string): Alias => ({
  uri: row.uri,
  acct: row.domain === null ? `${row.username}@${localDomain}` : acctOf(row),
  url: row.url,
})

/** Aliases in the order of `uris`. An unknown account is shown by its actor id. */
export const aliasesOf = async (db: Reader, uris: readonly string[], localDomain: string): Promise<Alias[]> => {
  const known = new Map((await accountsByUris(db, uris)).map((row) => [row.uri, row]))
  return uris.map((uri) => {
    const row = known.get(uri)
    return row ? aliasOf(row, localDomain) : { uri, acct: uri, url: uri }
  })
}
