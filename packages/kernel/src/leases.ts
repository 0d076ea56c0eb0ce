/** Leases of ticks: one process of the cluster runs a tick. The clock of the database decides when a lease ends. */
import { randomUUID } from 'node:crypto'
import { type Database, type Sql, sql } from '@murmuration/db'

const thisProcess = randomUUID()

/**
 * Milliseconds from now after which the end of a lease of `ms` milliseconds cannot be right: it was stored while the clock
 * of the database was ahead. Much longer than the lease, so that neither a small correction of the clock nor another length
 * in another release takes a lease from its holder.
 */
const maxAhead = (ms: number): number => Math.max(2 * ms, 120_000)

/** When a lease is renewed, leases that are due within this number of milliseconds are renewed in the same statement. */
const TOGETHER_MS = 2_000

interface Held {
  /** Length of a lease of this process, in milliseconds. */
  readonly ms: number
  /** Time of the next renewal (`performance.now()`): when a third of the lease is over. */
  renewAt: number
}

const after = (ms: number): Sql => sql`clock_timestamp() + make_interval(secs => ${ms / 1000})`

/**
 * Takes or renews a lease for `ms` milliseconds. Returns false while another process has it. The column `fence` is
 * increased with each change of the process. No code reads `fence`.
 */
const take = async (db: Database, holder: string, name: string, ms: number): Promise<boolean> => {
  const row = await db.row<{ fence: string }>(sql`insert into leases (name, holder, until)
    values (${name}, ${holder}, ${after(ms)})
    on conflict (name) do update set
      fence = leases.fence + case when leases.holder = excluded.holder then 0 else 1 end,
      holder = excluded.holder, until = excluded.until
    where leases.holder = excluded.holder or leases.until < clock_timestamp() or leases.until > ${after(maxAhead(ms))}
    returning fence`)
  return row !== null
}

/** Leases of this process in the database of one service. */
export class Leases {
  readonly #held = new Map<string, Held>()
  readonly #db: Database
  readonly #holder: string
  #renewing: Promise<void> | undefined

  /** `holder` identifies this process; services in one process share it. */
  constructor(db: Database, holder: string = thisProcess) {
    this.#db = db
    this.#holder = holder
  }

  /**
   * True when this process has the lease `name` of `ms` milliseconds. Takes a lease that no process has. Renews the
   * lease when a third of it is over.
   */
  async has(name: string, ms: number): Promise<boolean> {
    const held = this.#held.get(name)
    const now = performance.now()
    if (held && now < held.renewAt) return true
    if (held) {
      this.#renewing ??= this.#renew(now).finally(() => {
        this.#renewing = undefined
      })
      await this.#renewing
      if ((this.#held.get(name)?.renewAt ?? 0) > now) return true
    }
    if (await this.#isElsewhere(name, ms)) {
      this.#held.delete(name)
      return false
    }
    const taken = await take(this.#db, this.#holder, name, ms)
    if (taken) this.#held.set(name, { ms, renewAt: now + ms / 3 })
    else this.#held.delete(name)
    return taken
  }

  /** Ends the leases of this process, so that another process can run the ticks immediately. */
  async release(): Promise<void> {
    const names = [...this.#held.keys()]
    this.#held.clear()
    if (names.length > 0)
      await this.#db.run(
        sql`update leases set until = clock_timestamp() where holder = ${this.#holder} and name = any(${names}::text[])`,
      )
  }

  /**
   * True while another process has the lease. This check costs less than an attempt to take the lease. Simultaneous
   * checks are one statement.
   */
  #isElsewhere(name: string, ms: number): Promise<boolean> {
    return this.#db.exists(
      sql`select 1 from leases where name = ${name} and holder <> ${this.#holder}
        and until between clock_timestamp() and ${after(maxAhead(ms))}`,
    )
  }

  /** Renews all due leases in one statement. Drops leases that another process has taken. */
  async #renew(now: number): Promise<void> {
    const due = [...this.#held].filter(([, held]) => held.renewAt <= now + TOGETHER_MS)
    const rows = await this.#db.rows<{ name: string }>(sql`update leases
      set until = clock_timestamp() + make_interval(secs => due.ms / 1000.0)
      from unnest(${due.map(([name]) => name)}::text[], ${due.map(([, { ms }]) => ms)}::int[]) as due (name, ms)
      where leases.name = due.name and leases.holder = ${this.#holder}
      returning leases.name`)
    const renewed = new Set(rows.map(({ name }) => name))
    for (const [name, held] of due)
      if (renewed.has(name)) held.renewAt = now + held.ms / 3
      else this.#held.delete(name)
  }
}
