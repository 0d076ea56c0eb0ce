/**
 * Finds the parts of one OpenAPI description that another one lacks: operations, parameters, types, required members,
 * enum values, scopes.
 */

export interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  const?: unknown
  items?: Schema
  /** Schema of the keys of a map. */
  propertyNames?: Schema
  enum?: unknown[]
  allOf?: Schema[]
  oneOf?: Schema[]
  anyOf?: Schema[]
}
interface Parameter {
  $ref?: string
  name: string
  in: string
}
interface Body {
  $ref?: string
  content?: Record<string, { schema?: Schema }>
}
export interface Described {
  parameters?: Parameter[]
  requestBody?: Body
  responses?: Record<string, Body>
  security?: Record<string, string[]>[]
}
export interface Description {
  paths: Record<string, Record<string, Described>>
  components?: object
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
/** Maximum nesting of compared responses: an entity, the entities in it, and the entities in those. */
const DEPTH = 3

const nameless = (path: string): string => path.replace(/\{\w+\}/g, '{}')

/** Returns a function that resolves `$ref` within one OpenAPI description. */
const resolver =
  (description: Description) =>
  <T extends { $ref?: string }>(value: T): T => {
    let found = value
    for (let steps = 0; found?.$ref !== undefined && steps < 20; steps++)
      found = found.$ref
        .slice(2)
        .split('/')
        .reduce<unknown>((inside, key) => (inside as Record<string, unknown> | undefined)?.[key], description) as T
    return found
  }
type Resolve = ReturnType<typeof resolver>

const without = (all: Iterable<string>, some: { has(one: string): boolean }): string[] =>
  [...all].filter((one) => !some.has(one)).toSorted()

const parts = (schema: Schema): Schema[] => [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]

/**
 * Properties of objects that match these schemas, also of their list items and alternatives. For each property: all
 * schemas that it may have.
 */
const propertiesOf = (schemas: readonly Schema[], resolve: Resolve, depth = 6): Map<string, Schema[]> => {
  const found = new Map<string, Schema[]>()
  const add = (name: string, values: Schema[]) => found.set(name, [...(found.get(name) ?? []), ...values])
  for (const schema of depth === 0 ? [] : schemas.map(resolve)) {
    const inside = [...parts(schema ?? {}), ...(schema?.items ? [schema.items] : [])]
    for (const [name, values] of propertiesOf(inside, resolve, depth - 1)) add(name, values)
    for (const name of (schema?.propertyNames && resolve(schema.propertyNames)?.enum) ?? []) add(String(name), [])
    for (const [name, value] of Object.entries(schema?.properties ?? {})) add(name, [value])
  }
  return found
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value

/** Types of the values that these schemas allow. Empty if one of the schemas allows any type. */
const kindsOf = (schemas: readonly Schema[], resolve: Resolve, depth = 6): Set<string> => {
  const each = schemas.map((given) => {
    const schema = resolve(given) ?? {}
    if ('const' in schema) return new Set([kindOf(schema.const)])
    if (schema.type !== undefined) return new Set([schema.type].flat())
    if (schema.enum) return new Set(schema.enum.map(kindOf))
    const inside = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? []
    return depth === 0 ? new Set<string>() : kindsOf(inside, resolve, depth - 1)
  })
  return each.some((one) => one.size === 0) ? new Set() : new Set(each.flatMap((one) => [...one]))
}

/** Types in `found` that are not among the types in `promised`. An integer also counts as a number. */
const unpromised = (found: ReadonlySet<string>, promised: ReadonlySet<string>): string[] =>
  promised.size === 0 ? [] : without(found, promised).filter((kind) => kind !== 'integer' || !promised.has('number'))

/** Returns the values that all of the sets contain. */
const common = (sets: readonly ReadonlySet<string>[]): Set<string> => {
  const [first = new Set<string>(), ...others] = sets
  return new Set([...first].filter((one) => others.every((other) => other.has(one))))
}

/** Members that each object of each schema must have. For a list, members that each of its items must have. */
const alwaysIn = (schemas: readonly Schema[], resolve: Resolve, depth = 6): Set<string> => {
  const each = schemas.flatMap((given) => {
    const schema = resolve(given) ?? {}
    if (depth === 0 || schema.type === 'null') return []
    const inside = (some: readonly Schema[]) => alwaysIn(some, resolve, depth - 1)
    const alternatives = schema.oneOf ?? schema.anyOf
    return new Set([
      ...(schema.required ?? []),
      ...(alternatives ? inside(alternatives) : []),
      ...(schema.items ? inside([schema.items]) : []),
      ...(schema.allOf ?? []).flatMap((one) => [...inside([one])]),
    ])
  })
  return common(each)
}

/** Values of an enum, also of an enum of list items. Null if other values are possible, too. */
const textsOf = (schemas: readonly Schema[], resolve: Resolve, depth = 6): Set<string> | null => {
  const each = schemas.map((given): Set<string> | null => {
    const schema = resolve(given) ?? {}
    const texts = (values: readonly unknown[]) => new Set(values.filter((one) => typeof one === 'string'))
    if ('const' in schema) return texts([schema.const])
    if (schema.enum) return texts(schema.enum)
    const types = [schema.type ?? []].flat()
    const inside = [...(schema.oneOf ?? schema.anyOf ?? schema.allOf ?? []), ...(schema.items ? [schema.items] : [])]
    if (inside.length > 0) return depth === 0 ? null : textsOf(inside, resolve, depth - 1)
    return types.length === 0 || types.includes('string') ? null : new Set()
  })
  return each.includes(null) ? null : new Set(each.flatMap((one) => [...(one ?? [])]))
}

/**
 * Enum values that only one description has, one line each. An open enum of this server may contain values of the other
 * description that it does not list.
 */
const differentTexts = (where: string, promised: Set<string> | null, found: Set<string> | null): string[] => {
  if (promised === null || promised.size === 0) return []
  if (found === null) return [`${where}: may say anything`]
  return [
    ...without(promised, found).map((value) => `${where}: never says ${value}`),
    ...without(found, promised).map((value) => `${where}: may say ${value}`),
  ]
}

/** Name of the entity to which these schemas refer, if all refer to the same one. */
const entityOf = (schemas: readonly Schema[]): string | undefined => {
  const names = new Set(
    schemas.flatMap((schema) =>
      [schema, ...(schema.items ? [schema.items] : []), ...parts(schema)].flatMap((one) =>
        one.$ref === undefined ? [] : [one.$ref.replace(/^.*\//, '')],
      ),
    ),
  )
  return names.size === 1 ? [...names][0] : undefined
}

const contentOf = (body: Body | undefined, resolve: Resolve): Schema | undefined =>
  body && Object.values(resolve(body)?.content ?? {})[0]?.schema

/** Names of all parameters of an operation without brackets: `poll[options]` counts as `poll`. */
const inputsOf = (operation: Described, resolve: Resolve): Set<string> =>
  new Set(
    [
      ...(operation.parameters ?? [])
        .map(resolve)
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => parameter.name),
      ...propertiesOf([contentOf(operation.requestBody, resolve) ?? {}], resolve).keys(),
    ].map((name) => name.replace(/\[.*$/, '')),
  )

const scopesOf = (operation: Described): Set<string> =>
  new Set((operation.security ?? []).flatMap((one) => Object.values(one).flat()))

const operationsOf = (description: Description): Map<string, Described> =>
  new Map(
    Object.entries(description.paths).flatMap(([path, methods]) =>
      METHODS.filter((method) => methods[method]).map((method): [string, Described] => [
        `${method.toUpperCase()} ${nameless(path)}`,
        methods[method] as Described,
      ]),
    ),
  )

/**
 * Parts of the API description `theirs` that `ours` lacks, one line each. A difference in an entity is listed once,
 * under the name of the entity.
 */
export const differences = (ours: Description, theirs: Description): string[] => {
  const [here, there] = [resolver(ours), resolver(theirs)]
  const known = operationsOf(ours)
  const compared = new Set<string>()

  const answers = (where: string, promised: readonly Schema[], found: readonly Schema[], depth = DEPTH): string[] => {
    const entity = entityOf(promised)
    if (depth === 0 || (entity !== undefined && compared.has(entity))) return []
    if (entity !== undefined) compared.add(entity)
    const label = entity ?? where
    const [promises, keeps] = [propertiesOf(promised, there), propertiesOf(found, here)]
    const sometimes = without(alwaysIn(promised, there), alwaysIn(found, here)).filter((key) => keeps.has(key))
    return [
      ...without(promises.keys(), keeps).map((key) => `${label}: has no ${key}`),
      ...sometimes.map((key) => `${label}: does not always have ${key}`),
      ...[...promises].flatMap(([key, schemas]) =>
        unpromised(kindsOf(keeps.get(key) ?? [], here), kindsOf(schemas, there)).map(
          (kind) => `${label}.${key}: may be ${kind}`,
        ),
      ),
      ...[...promises].flatMap(([key, schemas]) => {
        const kept = keeps.get(key) ?? []
        return kept.length === 0 ? [] : differentTexts(`${label}.${key}`, textsOf(schemas, there), textsOf(kept, here))
      }),
      ...[...promises].flatMap(([key, schemas]) =>
        keeps.has(key) ? answers(`${label}.${key}`, schemas, keeps.get(key) ?? [], depth - 1) : [],
      ),
    ]
  }
  const good = (operation: Described, resolve: Resolve): Schema[] =>
    ['200', '202'].flatMap((status) => contentOf(operation.responses?.[status], resolve) ?? [])

  return [...operationsOf(theirs)].flatMap(([name, promised]) => {
    const found = known.get(name)
    if (!found) return [`${name}: is missing`]
    return [
      ...without(inputsOf(promised, there), inputsOf(found, here)).map((key) => `${name}: takes no ${key}`),
      ...answers(name, good(promised, there), good(found, here)),
      ...without(scopesOf(promised), scopesOf(found)).map((scope) => `${name}: is not open to ${scope}`),
    ]
  })
}
