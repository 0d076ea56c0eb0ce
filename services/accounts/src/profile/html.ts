/** Renders bio and fields of local accounts as HTML. Bio and fields are rendered once, when they are saved. */
import {
  handleKey,
  type MentionTarget,
  mentionsIn,
  type RenderContext,
  renderBioHtml,
  renderFieldHtml,
} from '@murmuration/text'
import type { Context } from '../context.js'
import { accountsByHandles, type StoredField } from '../core/account/store.js'
import { acctOf } from '../core/account/view.js'

const MAX_MENTIONS = 50

/** The stored accounts that `texts` mention, by handle. */
const mentionTargets = async (
  ctx: Pick<Context, 'db' | 'site'>,
  texts: readonly string[],
): Promise<Map<string, MentionTarget>> => {
  const { handleDomains } = ctx.site
  const tokens = texts.flatMap(mentionsIn)
  const keys = [...new Set(tokens.map((token) => handleKey(token, handleDomains)))].slice(0, MAX_MENTIONS)
  const rows = await accountsByHandles(
    ctx.db,
    keys.map((key) => {
      const [username = '', domain] = key.split('@')
      return { username, domain: domain ?? null }
    }),
  )
  const shown = rows.filter((row) => row.usable && !row.suspended)
  return new Map(
    shown.map((row) => [handleKey(row, handleDomains), { url: row.url, username: row.username, acct: acctOf(row) }]),
  )
}

export const profileHtml = async (
  ctx: Pick<Context, 'db' | 'site'>,
  note: string,
  fields: readonly StoredField[],
): Promise<{ noteHtml: string; fieldsHtml: StoredField[] }> => {
  const context: RenderContext = {
    mentions: await mentionTargets(ctx, [note, ...fields.map((field) => field.value)]),
    tagUrl: (name) => `${ctx.site.origin}/tags/${encodeURIComponent(name)}`,
    handleDomains: ctx.site.handleDomains,
  }
  return {
    noteHtml: renderBioHtml(note, context),
    fieldsHtml: fields.map((field) => ({ ...field, value: renderFieldHtml(field.value, context) })),
  }
}
