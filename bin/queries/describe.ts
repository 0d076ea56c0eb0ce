/** Lets PostgreSQL describe the parameters and columns of statements, without executing them. */
import pg from 'pg'

export interface Column {
  name: string
  type: number
  /** PostgreSQL id of the table whose column the result column is; 0 if it is another expression. */
  table: number
  attribute: number
}

export interface Description {
  parameters: number[]
  columns: Column[]
}

interface Wire {
  parse(query: { text: string; name: string; types: number[] }): void
  describe(what: { type: 'S'; name: string }): void
  sync(): void
  on(event: 'parameterDescription', each: (message: { dataTypeIDs: number[] }) => void): void
}

interface Field {
  name: string
  dataTypeID: number
  tableID: number
  columnID: number
}

/** A query for a client of the driver `pg` that lets PostgreSQL parse and describe the statement, but not execute it. */
class Describe {
  readonly name = ''
  readonly found: Description = { parameters: [], columns: [] }
  readonly #text: string
  readonly #done: (result: Description | Error) => void
  #error: Error | null = null
  constructor(text: string, done: (result: Description | Error) => void) {
    this.#text = text
    this.#done = done
  }
  submit(connection: unknown): void {
    const wire = connection as Wire
    wire.parse({ text: this.#text, name: '', types: [] })
    wire.describe({ type: 'S', name: '' })
    wire.sync()
  }
  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.found.columns = fields.map((field) => ({
      name: field.name,
      type: field.dataTypeID,
      table: field.tableID,
      attribute: field.columnID,
    }))
  }
  handleError(error: Error): void {
    this.#error = error
    this.#done(error)
  }
  handleReadyForQuery(): void {
    if (!this.#error) this.#done(this.found)
  }
}

export interface Catalogue {
  types: ReadonlyMap<number, { name: string; element: number }>
  /** Names of tables by their id (oid) in PostgreSQL. */
  tables: ReadonlyMap<number, string>
  /** Names of the columns that may be null, by `table.attribute`. */
  nullable: ReadonlyMap<string, string>
  /** Texts that a check constraint permits in a column, by `table.attribute`. */
  permitted: ReadonlyMap<string, readonly string[]>
}

const readCatalogue = async (client: pg.Client): Promise<Catalogue> => {
  const types = await client.query<{ id: number; name: string; element: number }>(
    'select oid::int as id, typname as name, typelem::int as element from pg_type',
  )
  const columns = await client.query<{ key: string; name: string }>(
    `select attrelid || '.' || attnum as key, attname as name from pg_attribute
     where attnum > 0 and not attnotnull and attrelid >= 16384`,
  )
  const tables = await client.query<{ id: number; name: string }>(
    `select oid::int as id, relname as name from pg_class where relkind in ('r', 'p') and oid >= 16384`,
  )
  const constraints = await client.query<{ key: string; definition: string }>(
    `select conrelid || '.' || conkey[1] as key, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'c' and cardinality(conkey) = 1`,
  )
  return {
    types: new Map(types.rows.map(({ id, name, element }) => [id, { name, element }])),
    nullable: new Map(columns.rows.map((row) => [row.key, row.name])),
    tables: new Map(tables.rows.map(({ id, name }) => [id, name])),
    permitted: new Map(
      constraints.rows.flatMap(({ key, definition }) => {
        const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[([^\]]*)\]\)\)\)/.exec(definition)?.[1]
        const values = [...(list ?? '').matchAll(/'([^']*)'::text/g)].map(([, value]) => value ?? '')
        return values.length ? [[key, values]] : []
      }),
    ),
  }
}

export interface Describer {
  catalogue: Catalogue
  /**
   * Description of each statement, or the error of PostgreSQL. A statement is described in the first of these schemas
   * that has its tables.
   */
  describe(schemas: readonly string[], texts: readonly string[]): Promise<Map<string, Description | Error>>
  close(): Promise<void>
}

/** Connects to a database with the tables of all services. */
export const openDescriber = async (url: string): Promise<Describer> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let current: Describe | null = null
  const wire = (client as unknown as { connection: Wire }).connection
  wire.on('parameterDescription', ({ dataTypeIDs }) => {
    if (current) current.found.parameters = dataTypeIDs
  })
  const describe = (text: string): Promise<Description | Error> =>
    new Promise((resolve) => {
      current = new Describe(text, resolve)
      client.query(current)
    })
  return {
    catalogue: await readCatalogue(client),
    async describe(schemas, texts) {
      const results = new Map<string, Description | Error>()
      for (const schema of schemas) {
        await client.query(`set search_path to ${client.escapeIdentifier(schema)}`)
        for (const text of texts) {
          const known = results.get(text)
          if (known && !(known instanceof Error)) continue
          const found = await describe(text)
          if (!known || !(found instanceof Error)) results.set(text, found)
        }
      }
      return results
    },
    close: () => client.end(),
  }
}
