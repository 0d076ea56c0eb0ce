/** The text of a moderation action on an account: a warning preset, a text by the moderator, or both. */
import { isId, notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { textOf } from '../core/account-action.rules.js'
import { textWithPreset } from './rules.js'
import { warningPresetById } from './store.js'

/** The text of an action. Throws 404 for an unknown preset, and 422 for a text that is too long. */
export const actionText = async (
  ctx: Pick<Context, 'db'>,
  given: { text?: string | null | undefined; warning_preset_id?: string | null | undefined },
): Promise<string> => {
  const { warning_preset_id: id } = given
  const preset = id && isId(id) ? await warningPresetById(ctx.db, id) : null
  if (id && preset === null) throw notFound()
  return textWithPreset(preset?.text ?? null, textOf(given.text))
}
