/** Other accounts of a person, as far as they are known here. */
import type { Alias } from '@murmuration/contracts/accounts'
import type { Reader } from '@murmuration/db'
import { type AccountRow, accountsByUris } from '../core/account.store.js'
import { acctOf } from '../core/account.view.js'

export const aliasOf = (row: AccountRow, localDomain: string): Alias => ({
  uri: row.uri,
  acct: row.domain === null ? `${row.username}@${localDomain}` : acctOf(row),
  url: row.url,
})

/** In the order of the actor ids. */
export const aliasesOf = async (db: Reader, uris: readonly string[], localDomain: string): Promise<Alias[]> => {
  const known = new Map((await accountsByUris(db, uris)).map((row) => [row.uri, row]))
  return uris.map((uri) => {
    const row = known.get(uri)
    return row ? aliasOf(row, localDomain) : { uri, acct: uri, url: uri }
  })
}
