/** Repeated names in a query or form: the last value counts, unless the field is a list. */
import type { AnyOperation } from '@murmuration/contracts/kit'

/** The parts of a zod schema that `takesList` reads. */
interface Shape {
  readonly _zod: { readonly def: Definition }
}
interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, Shape>>
  readonly innerType?: Shape
  readonly in?: Shape
  readonly out?: Shape
  readonly options?: readonly Shape[]
}

/** Whether the zod schema of a field accepts a list. */
const takesList = ({ _zod: { def } }: Shape): boolean =>
  def.type === 'array' ||
  [def.innerType, def.in, def.out, ...(def.options ?? [])].some((part) => part !== undefined && takesList(part))

const cachedLists = new WeakMap<AnyOperation, ReadonlySet<string>>()

/** Names of the input fields that accept a list. */
const listFieldsOf = (operation: AnyOperation): ReadonlySet<string> => {
  const known = cachedLists.get(operation)
  if (known) return known
  const { shape = {} } = (operation.input as Shape)._zod.def
  const found = new Set(Object.keys(shape).filter((name) => takesList(shape[name] as Shape)))
  cachedLists.set(operation, found)
  return found
}

/** Returns the fields of a request with only the last value of each repeated field, unless the operation accepts a list there. */
export const lastOfEach = (operation: AnyOperation, given: Record<string, unknown>): Record<string, unknown> => {
  let changed: Record<string, unknown> | undefined
  for (const [name, value] of Object.entries(given))
    if (Array.isArray(value) && !listFieldsOf(operation).has(name)) {
      changed ??= { ...given }
      changed[name] = value.at(-1)
    }
  return changed ?? given
}
