/** Terms of service as the API shows them. */
import type { TermsOfService } from '@murmuration/contracts/entities'
import type { Context } from '../context.js'
import { successorOf } from './rules.js'
import type { TermsRow } from './store.js'

/** Current day in UTC, `YYYY-MM-DD`. */
export const today = (ctx: Pick<Context, 'clock'>): string => ctx.clock.date().toISOString().slice(0, 10)

/** HTML of terms of service, from their Markdown text. */
export const contentOf = (ctx: Pick<Context, 'markdown' | 'site'>, text: string): string =>
  ctx.markdown.html(text.replaceAll('%{domain}', ctx.site.localDomain))

export const termsOf = (
  ctx: Pick<Context, 'clock' | 'markdown' | 'site'>,
  row: TermsRow,
  all: readonly TermsRow[],
): TermsOfService => ({
  effective_date: row.day,
  effective: row.day <= today(ctx),
  content: contentOf(ctx, row.text),
  succeeded_by: successorOf(all, row.day),
})
