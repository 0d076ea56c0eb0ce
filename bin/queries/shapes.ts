/** Kinds of values that a declared TypeScript type accepts, for rows and parameters. */
import { type Checker, ObjectFlags, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync'

export type Kind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'bigint'
  | 'date'
  | 'bytes'
  | 'array'
  | 'object'
  | 'null'
  | 'undefined'
  | 'any'

export interface Shape {
  kinds: ReadonlySet<Kind>
  /** Shape of the elements, if the TypeScript type accepts arrays. */
  element?: Shape | undefined
  text: string
  /** The possible texts, if the TypeScript type consists of string literals. */
  literals?: ReadonlySet<string> | undefined
}

/** Kinds of values that a JSON document cannot contain. */
export const NOT_JSON: readonly Kind[] = ['date', 'bytes', 'bigint']

interface Property {
  shape: Shape
  optional: boolean
  /** Whether the TypeScript type contains a type that JSON cannot represent, such as Date. */
  isNoJson: () => boolean
}

export interface Row {
  properties: ReadonlyMap<string, Property>
  /** Shape of the properties that are not listed, from the index signature of the TypeScript type. */
  rest?: Shape | undefined
}

/** Number of nested levels of a JSON document whose types are checked. */
const MAX_LEVELS = 3

const has = (type: Type, flags: TypeFlags): boolean => (type.flags & flags) !== 0

export const createShapes = (checker: Checker) => {
  const shapes = new Map<number, Shape>()
  const rows = new Map<number, Row>()

  const simple = (type: Type): Kind | null => {
    if (has(type, TypeFlags.Any | TypeFlags.Unknown)) return 'any'
    if (has(type, TypeFlags.StringLike)) return 'string'
    if (has(type, TypeFlags.NumberLike)) return 'number'
    if (has(type, TypeFlags.BooleanLike)) return 'boolean'
    if (has(type, TypeFlags.BigIntLike)) return 'bigint'
    if (has(type, TypeFlags.Null)) return 'null'
    if (has(type, TypeFlags.Undefined | TypeFlags.Void)) return 'undefined'
    return null
  }

  const both = (list: readonly Shape[], text: string): Shape => {
    const strings = list.filter(({ kinds }) => kinds.has('string'))
    const elements = list.flatMap(({ element }) => (element ? [element] : []))
    return {
      kinds: new Set(list.flatMap(({ kinds }) => [...kinds])),
      literals:
        strings.length && strings.every(({ literals }) => literals)
          ? new Set(strings.flatMap(({ literals }) => [...(literals ?? [])]))
          : undefined,
      element: elements.length ? both(elements, elements[0]?.text ?? '') : undefined,
      text,
    }
  }

  const make = (type: Type): Shape => {
    const text = checker.typeToString(type)
    const kind = simple(type)
    if (type.isStringLiteralType()) return { kinds: new Set(['string']), text, literals: new Set([type.value]) }
    if (kind) return { kinds: new Set([kind]), text }
    if (type.isUnionType()) return both(type.getTypes().map(shapeOf), text)
    if (type.isIntersectionType()) {
      const known = type.getTypes().map(shapeOf)
      return { ...(known.find(({ kinds }) => !kinds.has('object')) ?? { kinds: new Set<Kind>(['object']) }), text }
    }
    if (has(type, TypeFlags.TypeParameter | TypeFlags.IndexedAccess | TypeFlags.Conditional | TypeFlags.Index)) {
      const constraint = checker.getBaseConstraintOfType(type)
      return constraint && constraint.id !== type.id
        ? { ...shapeOf(constraint), text }
        : { kinds: new Set(['any']), text }
    }
    if (!type.isObjectType()) return { kinds: new Set(has(type, TypeFlags.Never) ? [] : ['object']), text }
    const name = type.getSymbol()?.name
    if (name === 'Date') return { kinds: new Set(['date']), text }
    if (name && /^(Buffer|Uint8Array)$/.test(name)) return { kinds: new Set(['bytes']), text }
    if (type.isTypeReference() && (name === 'Array' || name === 'ReadonlyArray' || checker.isTupleType(type)))
      return { kinds: new Set(['array']), element: both(checker.getTypeArguments(type).map(shapeOf), text), text }
    if (type.objectFlags & ObjectFlags.Reference && checker.isTupleType(type))
      return { kinds: new Set(['array']), text }
    return { kinds: new Set(['object']), text }
  }

  const shapeOf = (type: Type): Shape => {
    const known = shapes.get(type.id) ?? make(type)
    shapes.set(type.id, known)
    return known
  }

  const isNoJson = (type: Type, depth: number): boolean => {
    const { kinds } = shapeOf(type)
    if (NOT_JSON.some((kind) => kinds.has(kind))) return true
    if (depth === 0 || simple(type)) return false
    if (type.isUnionType()) return type.getTypes().some((one) => isNoJson(one, depth))
    if (!type.isObjectType()) return false
    if (kinds.has('array'))
      return type.isTypeReference() && checker.getTypeArguments(type).some((one) => isNoJson(one, depth - 1))
    const symbols = checker.getPropertiesOfType(type)
    const types = symbols.length ? checker.getTypeOfSymbol(symbols) : []
    return types.some((one) => one !== undefined && isNoJson(one, depth - 1))
  }

  const makeRow = (type: Type): Row => {
    const symbols = checker.getPropertiesOfType(type)
    const types = symbols.length ? checker.getTypeOfSymbol(symbols) : []
    const properties = new Map(
      symbols.flatMap((symbol, i) => {
        const of = types[i]
        const optional = (symbol.flags & SymbolFlags.Optional) !== 0
        return of
          ? [[symbol.name, { shape: shapeOf(of), optional, isNoJson: () => isNoJson(of, MAX_LEVELS) }] as const]
          : []
      }),
    )
    const [index] = checker.getIndexInfosOfType(type)
    return { properties, rest: index && shapeOf(index.valueType) }
  }

  const rowOf = (type: Type): Row => {
    const known = rows.get(type.id) ?? makeRow(type)
    rows.set(type.id, known)
    return known
  }

  /** The texts of a TypeScript type that consists of string literals only. */
  const literalsOf = (type: Type | undefined): string[] => {
    if (!type) return []
    const all = type.isUnionType() ? type.getTypes() : [type]
    return all.every((one) => one.isStringLiteralType()) ? all.map((one) => String(one.value)) : []
  }
  return { shapeOf, rowOf, literalsOf }
}
