/**
 * Encrypts stored secrets again after a change of SECRET_KEY_BASE, one page per call. Each call is safe to repeat and to
 * interrupt.
 */
import type { SecretCipher } from './secret-cipher.js'

const PAGE = 500

export interface StoredSecret {
  readonly id: string
  readonly encrypted: string
}
export interface RenewedSecret {
  readonly id: string
  /** The encrypted text before. It is replaced only if it is still stored. */
  readonly before: string
  readonly after: string
}

/** A column with encrypted secrets. */
export interface SecretColumn<S extends StoredSecret = StoredSecret> {
  /** Name of the column in positions. */
  readonly name: string
  /** The context with which a secret was encrypted. */
  about(secret: S): string
  /** Secrets with a higher id than `after`, lowest first; from the first one if `after` is empty. */
  page(after: string, limit: number): Promise<S[]>
  replace(secrets: readonly RenewedSecret[]): Promise<unknown>
}

/** Counts of one page. `next` is the position of the next page, null after the last one. */
export interface SecretPage {
  next: string | null
  seen: number
  renewed: number
  unreadable: number
}

/** Encrypts the secrets of one page again. The position is the name of a column and the last id; empty at first. */
export const renewSecretPage = async (
  cipher: SecretCipher,
  // biome-ignore lint/suspicious/noExplicitAny: columns have secrets of several types.
  columns: readonly SecretColumn<any>[],
  { after, dryRun }: { after: string; dryRun: boolean },
): Promise<SecretPage> => {
  const [name, id = ''] = after.split(' ')
  const index = after === '' ? 0 : columns.findIndex((one) => one.name === name)
  const column = columns[index]
  if (column === undefined) throw new Error(`there is no column with secrets ${name}`)
  const page = await column.page(id, PAGE)
  const results = page.map((one) => ({ one, result: cipher.renew(one.encrypted, column.about(one)) }))
  const renewed = results.flatMap(({ one, result }) =>
    result.state === 'renewed' ? [{ id: one.id, before: one.encrypted, after: result.encrypted }] : [],
  )
  if (!dryRun && renewed.length > 0) await column.replace(renewed)
  const nextColumn = columns[index + 1]
  return {
    next: page.length === PAGE ? `${column.name} ${page.at(-1)?.id}` : nextColumn ? `${nextColumn.name} ` : null,
    seen: page.length,
    renewed: renewed.length,
    unreadable: results.filter(({ result }) => result.state === 'unreadable').length,
  }
}
