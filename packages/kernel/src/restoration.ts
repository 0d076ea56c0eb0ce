/** Undo of a recorded change: compares the stored state with the record, and determines the state to store. */
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'

/** `already`: the state from before exists. `changed_since`: the state is neither that before nor that after. `not_recorded`: incomplete record. */
export type Restoration<S> = { to: S | null } | 'already' | 'changed_since' | 'not_recorded'

type Fields = Record<string, unknown>

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))
const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one) ?? null, plain(other) ?? null)

/** Fields of a state that the schema has, in recorded form; null for no row. */
export const stateIn = <S extends object>(schema: z.ZodType<S>, row: object | null): S | null =>
  row === null ? null : schema.parse(plain(row))

/**
 * The undo of a changed row restores only the fields that the change set. For an added or removed row all fields are compared, except
 * those in `passing`, which change without staff.
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
  /** The stored row; null for none. */
  row: object | null
  /** Fields that change without an action of staff. */
  passing?: readonly (keyof S & string)[]
  /** True only returns the outcome, and restores nothing. */
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
