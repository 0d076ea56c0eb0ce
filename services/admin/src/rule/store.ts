/** Stores rules of the server. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'

export interface RuleRow {
  id: string
  text: string
  hint: string
  translations: Record<string, { text: string; hint: string }>
  priority: number
}

const columns = sql`id, text, hint, translations, priority`

/** Current server rules, in the order that staff chose. */
export const rulesInForce = (db: Reader): Promise<RuleRow[]> =>
  db.rows<RuleRow>(sql`select ${columns} from rules where removed_at is null order by priority, id`)

/** Server rules with these ids, including removed rules, because reports refer to removed rules. */
export const rulesByIds = (db: Reader, ids: readonly string[]): Promise<RuleRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.rows<RuleRow>(sql`select ${columns} from rules where id = any(${bigints(ids)}) order by priority, id`)

/** Number of these ids that belong to current server rules. */
export const countInForce = async (db: Reader, ids: readonly string[]): Promise<number> =>
  (
    await db.row<{ n: number }>(
      sql`select count(*)::int as n from rules where id = any(${bigints(ids)}) and removed_at is null`,
    )
  )?.n ?? 0

/** Adds a server rule after all other rules. */
export const insertRule = async (tx: Tx, rule: Omit<RuleRow, 'priority'> & { at: Date }): Promise<RuleRow | null> =>
  tx.row<RuleRow>(sql`insert into rules (id, text, hint, translations, priority, created_at)
    select ${rule.id}, ${rule.text}, ${rule.hint}, ${JSON.stringify(rule.translations)}::jsonb,
      coalesce(max(priority) + 1, 0), ${rule.at} from rules where removed_at is null
    returning ${columns}`)

/** Changes a current rule. Returns the row of the rule; null if the rule does not exist. */
export const updateRule = (tx: Tx, rule: RuleRow): Promise<RuleRow | null> =>
  tx.row<RuleRow>(sql`update rules set text = ${rule.text}, hint = ${rule.hint},
      translations = ${JSON.stringify(rule.translations)}::jsonb, priority = ${rule.priority}
    where id = ${rule.id} and removed_at is null returning ${columns}`)

/** One current server rule, locked until the transaction ends. */
export const lockRule = (tx: Tx, id: string): Promise<RuleRow | null> =>
  tx.row<RuleRow>(sql`select ${columns} from rules where id = ${id} and removed_at is null for update`)

/** All current server rules in their order, locked until the transaction ends. */
export const lockRules = (tx: Tx): Promise<RuleRow[]> =>
  tx.rows<RuleRow>(sql`select ${columns} from rules where removed_at is null order by priority, id for update`)

/** Sets the priorities of these server rules to 0, 1, 2 …, in the order of the ids. */
export const orderRules = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`update rules set priority = given.place - 1
    from unnest(${bigints(ids)}) with ordinality as given (id, place)
    where rules.id = given.id and rules.removed_at is null`)

export const removeRule = (tx: Tx, id: string, at: Date): Promise<number> =>
  tx.run(sql`update rules set removed_at = ${at} where id = ${id} and removed_at is null`)

/** Restores a removed server rule; null if no such removed rule is stored. */
export const restoreRule = (tx: Tx, rule: RuleRow): Promise<RuleRow | null> =>
  tx.row<RuleRow>(sql`update rules set removed_at = null, text = ${rule.text}, hint = ${rule.hint},
      translations = ${JSON.stringify(rule.translations)}::jsonb, priority = ${rule.priority}
    where id = ${rule.id} and removed_at is not null returning ${columns}`)
