/** The tables of one service, for what a scenario needs to be there or to be gone. */
import pg from 'pg'

export const within = async <T>(
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
