/** Access to the tables of one service, to insert or delete data for a scenario. */
import pg from 'pg'

/** Calls `work` with a connection whose search path is the schema of the service. Closes the connection afterwards. */
export const withSchema = async <T>(
  databaseUrl: string,
  service: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`set search_path = ${client.escapeIdentifier(service)}`)
    return await work(client)
  } finally {
    await client.end()
  }
}
