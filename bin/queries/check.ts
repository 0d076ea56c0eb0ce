/** Compares the queries of all stores with the tables of a database to which all migrations were applied. */
import type { Node } from 'typescript/unstable/ast'
import { createIsSql, findQueries, hiddenType, type Query, rowTypeOf } from './calls.js'
import { compareParameter, compareRow, createReceived } from './compare.js'
import { type Description, openDescriber } from './describe.js'
import { type Text, Unresolved } from './frames.js'
import { orderProblem } from './order.js'
import { createShapes } from './shapes.js'
import { openSources } from './sources.js'
import { createTexts } from './texts.js'

export interface Report {
  /** Number of queries that the check found in the sources. */
  queries: number
  /** Number of different statements that PostgreSQL described. A query with conditions has several statements. */
  statements: number
  problems: string[]
  /** Locations of queries that are not checked, because their text is known only at run time. */
  unresolved: string[]
}

interface Resolved {
  query: Query
  place: string
  /** Statements that a query may send, by their text. */
  texts: Map<string, Text>
}

const SERVICES = ['accounts', 'statuses', 'federation', 'media', 'admin', 'notifications']
/** Files in which functions send the queries of their callers. Such queries are checked at the callers. */
const DRIVERS = ['packages/db/src/database.ts', 'packages/db/src/time-budget.ts']

/**
 * Schemas that contain the tables of a query: the schema of the service of the file. For a shared file, the schemas of
 * all services, because all have its tables.
 */
const schemasOf = (place: string): readonly string[] => {
  const service = /^services\/(\w+)\//.exec(place)?.[1]
  return service ? [service] : SERVICES
}

const textOf = ({ parts }: Text): string =>
  parts.reduce((text, part, i) => (i === 0 ? part : `${text}$${i}${part}`), '')

/**
 * The error message of a statement that PostgreSQL refused. Null if accepted statements of the same query contain each
 * of its optional parts. Then these parts never occur together, so the statement is never sent.
 */
const errorOf = (text: Text, error: Error, accepted: readonly Text[]): string | null => {
  const occurs = [...text.when].every(([key, branches]) =>
    accepted.some(({ when }) => ((when.get(key) ?? 0n) & branches) !== 0n),
  )
  return accepted.length && occurs ? null : `${error.message}: ${textOf(text).replaceAll(/\s+/g, ' ')}`
}

export const checkQueries = async (databaseUrl: string): Promise<Report> => {
  const sources = openSources()
  const describer = await openDescriber(databaseUrl)
  try {
    const { catalogue } = describer
    const shapes = createShapes(sources.checker)
    const isSql = createIsSql(sources)
    const literalsOf = (node: Node) => shapes.literalsOf(sources.typeOf(node))
    const textsOf = createTexts(sources, isSql, literalsOf)
    const received = createReceived(catalogue)
    const queries = findQueries(sources, isSql).filter(
      ({ call }) => !DRIVERS.some((file) => sources.placeOf(call).startsWith(file)),
    )
    const unresolved: string[] = []
    const resolved: Resolved[] = []
    for (const query of queries) {
      const place = sources.placeOf(query.call)
      try {
        const texts = new Map(textsOf(query.sql).map((text) => [textOf(text), text]))
        if (!texts.size) throw new Unresolved('no text', query.sql)
        resolved.push({ query, place, texts })
      } catch (error) {
        if (!(error instanceof Unresolved)) throw error
        unresolved.push(`${place} ${error.message}${error.node ? ` (${sources.placeOf(error.node)})` : ''}`)
      }
    }

    /** Problems of one statement that PostgreSQL accepts. */
    const compare = (query: Query, text: string, params: readonly Node[], description: Description): string[] => {
      const found = description.parameters.flatMap((parameter, i) => {
        const type = params[i] && sources.typeOf(params[i])
        const problem = type ? compareParameter(shapes.shapeOf(type), parameter, catalogue) : null
        return problem ? [`$${i + 1} \`${params[i]?.getText()}\` ${problem}`] : []
      })
      const type = rowTypeOf(query, sources)
      if (!type) return found
      const hidden = hiddenType(type)
      if (hidden) return [...found, hidden]
      return [...found, ...compareRow(shapes.rowOf(type), description, text, catalogue, received)]
    }

    const problems: string[] = []
    let statements = 0
    for (const [schemas, list] of Map.groupBy(resolved, ({ place }) => schemasOf(place).join())) {
      const all = [...new Set(list.flatMap(({ texts }) => [...texts.keys()]))]
      const described = await describer.describe(schemas.split(','), all)
      statements += all.length
      for (const { query, place, texts } of list) {
        const accepted = [...texts].flatMap(([text, made]) => (described.get(text) instanceof Error ? [] : [made]))
        const found = [...texts].flatMap(([text, made]) => {
          const is = described.get(text)
          if (!is) return []
          if (!(is instanceof Error)) return compare(query, text, made.params, is)
          const error = errorOf(made, is, accepted)
          return error ? [error] : []
        })
        const unordered = [...texts.keys()].flatMap((text) => orderProblem(text) ?? [])
        problems.push(...[...new Set([...found, ...unordered])].map((one) => `${place} ${one}`))
      }
    }
    return { queries: queries.length, statements, problems, unresolved }
  } finally {
    await describer.close()
    sources.close()
  }
}
