/** Undoes a recorded change. Compares the stored state of a row with the record, and determines the state to restore. */
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'

/**
 * `to`: the state to store, null to delete the row. `already`: the row already has the state before the change.
 * `changed_since`: the row has neither the state before nor the one after the change. `not_recorded`: the record is
 * incomplete.
 */
export type Restoration<S> = { to: S | null } | 'already' | 'changed_since' | 'not_recorded'

type Fields = Record<string, unknown>

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))
const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one) ?? null, plain(other) ?? null)

/** Fields of a row that the schema has, in the form in which states are recorded; null without a row. */
export const stateIn = <S extends object>(schema: z.ZodType<S>, row: object | null): S | null =>
  row === null ? null : schema.parse(plain(row))

/**
 * Determines the state that an undo stores. For a changed row, only the changed fields are compared and restored. For
 * an added or removed row all fields are compared, except those in `passing`.
 */
export const restorationOf = <S extends object>(
  schema: z.ZodType<S>,
  recorded: { before: unknown; after: unknown },
  current: S | null,
  passing: readonly (keyof S & string)[] = [],
): Restoration<S> => {
  const [before, after] = [recorded.before, recorded.after].map((state) =>
    state === null || state === undefined ? null : schema.safeParse(state),
  )
  if ((!before && !after) || before?.success === false || after?.success === false) return 'not_recorded'
  const [old, changed] = [before?.data as Fields | undefined, after?.data as Fields | undefined]
  const isNow = (state: Fields, names: readonly string[]): boolean =>
    current !== null && names.every((name) => isSame((current as Fields)[name], state[name]))
  const all = (state: Fields): string[] => Object.keys(state).filter((name) => !passing.includes(name as never))
  if (!old)
    return current === null ? 'already' : isNow(changed ?? {}, all(changed ?? {})) ? { to: null } : 'changed_since'
  if (!changed) return current === null ? { to: old as S } : isNow(old, all(old)) ? 'already' : 'changed_since'
  const names = Object.keys({ ...old, ...changed }).filter((name) => !isSame(old[name], changed[name]))
  if (current === null) return 'changed_since'
  if (isNow(changed, names))
    return { to: { ...current, ...Object.fromEntries(names.map((name) => [name, old[name]])) } as S }
  return isNow(old, names) ? 'already' : 'changed_since'
}

export interface Restoring<S extends object> {
  schema: z.ZodType<S>
  recorded: { before: unknown; after: unknown }
  /** The row as it is stored now; null if it does not exist. */
  row: object | null
  /** Names of fields that also change without an action of staff. */
  passing?: readonly (keyof S & string)[]
  /** If true, only returns the outcome, and stores nothing. */
  dry: boolean
}

/** Restores the state before a recorded change, and returns the outcome. */
export const restore = async <S extends object>(
  { schema, recorded, row, passing, dry }: Restoring<S>,
  store: (to: S | null) => Promise<void>,
): Promise<'restored' | 'already' | 'changed_since' | 'not_recorded'> => {
  const restoration = restorationOf(schema, recorded, stateIn(schema, row), passing)
  if (typeof restoration === 'string') return restoration
  if (!dry) await store(restoration.to)
  return 'restored'
}
