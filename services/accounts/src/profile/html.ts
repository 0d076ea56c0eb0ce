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
import { accountsByHandles } from '../core/account/store.js'
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

/** Renders the given texts of a profile. `fields`: values of profile fields. Absent texts are not rendered. */
export const profileHtml = async (
  ctx: Pick<Context, 'db' | 'site'>,
  { note, fields }: { note: string | undefined; fields: readonly string[] | undefined },
): Promise<{ note: string | undefined; fields: string[] | undefined }> => {
  const texts = [...(note === undefined ? [] : [note]), ...(fields ?? [])]
  const context: RenderContext = {
    mentions: texts.length === 0 ? new Map() : await mentionTargets(ctx, texts),
    tagUrl: (name) => `${ctx.site.origin}/tags/${encodeURIComponent(name)}`,
    handleDomains: ctx.site.handleDomains,
  }
  return {
    note: note === undefined ? undefined : renderBioHtml(note, context),
    fields: fields?.map((value) => renderFieldHtml(value, context)),
  }
}
