/** Names that come more than once in a query or form: the last one counts, unless the field is a list. */
import type { AnyOperation } from '@murmuration/contracts/kit'

/** The few parts of a schema's definition that say what it takes. */
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

/** True when a list may stand there. */
const takesList = ({ _zod: { def } }: Shape): boolean =>
  def.type === 'array' ||
  [def.innerType, def.in, def.out, ...(def.options ?? [])].some((part) => part !== undefined && takesList(part))

const listsOf = new WeakMap<AnyOperation, ReadonlySet<string>>()

const lists = (operation: AnyOperation): ReadonlySet<string> => {
  const known = listsOf.get(operation)
  if (known) return known
  const { shape = {} } = (operation.input as Shape)._zod.def
  const found = new Set(Object.keys(shape).filter((name) => takesList(shape[name] as Shape)))
  listsOf.set(operation, found)
  return found
}

/** The fields with one value where the operation takes one. */
export const lastOfEach = (operation: AnyOperation, given: Record<string, unknown>): Record<string, unknown> => {
  let changed: Record<string, unknown> | undefined
  for (const [name, value] of Object.entries(given))
    if (Array.isArray(value) && !lists(operation).has(name)) {
      changed ??= { ...given }
      changed[name] = value.at(-1)
    }
  return changed ?? given
}
