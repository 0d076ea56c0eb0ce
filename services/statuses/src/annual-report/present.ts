/** Renders annual reports with their account and the statuses that they name. */
import { splice } from '@murmuration/cards'
import type { AnnualReport, AnnualReports } from '@murmuration/contracts/entities'
import { type Json, jsonArray, toJson } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { showStatuses } from '../core/render/show-status.js'
import type { AnnualReportRow } from './store.js'

const SCHEMA = 2

/** Renders reports. A status that the viewer may no longer see keeps its id in the report, but its JSON is omitted. */
export const showReports = async (
  ctx: Context,
  viewer: string,
  rows: readonly AnnualReportRow[],
): Promise<Json<AnnualReports>> => {
  const made = rows.flatMap(({ data, ...row }) => (data === null ? [] : [{ ...row, data }]))
  const named = [...new Set(made.flatMap(({ data }) => Object.values(data.top_statuses)))].filter((id) => id !== null)
  const [accounts, statuses] = await Promise.all([
    ctx.accountCards.many([...new Set(made.map((row) => row.account_id))]),
    showStatuses(ctx, viewer, named, 'single'),
  ])
  const reports = made.map(({ year, data, account_id }) =>
    toJson<AnnualReport>({ year, data, schema_version: SCHEMA, share_url: null, account_id }),
  )
  return splice<AnnualReports>(toJson({}), {
    annual_reports: jsonArray(reports),
    accounts: jsonArray([...accounts.values()]),
    statuses: jsonArray([...statuses.values()]),
  })
}
