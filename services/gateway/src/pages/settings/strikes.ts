/** Settings page of the user's strikes, with a form for an appeal. Disabled and suspended accounts can use it, too. */
import { createAppealOfHolder, findStrikesOfHolder } from '@murmuration/contracts/admin'
import { isId } from '@murmuration/contracts/kit'
import { attempt } from '../core/attempt.js'
import { html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { appealForm, strikeCard } from '../core/parts/strike.js'
import { fieldOf, type Settings, type SettingsContext } from '../core/settings-frame.js'

const HERE = '/settings/strikes'
/** Number of strikes per page. */
const ROWS = 20

/** An appeal that was refused. The form shows its text again. */
interface Refused {
  readonly id: string
  readonly text: string
  readonly problem: string
}

const show = async (context: SettingsContext, refused: Refused | null = null): Promise<void> => {
  const { max_id } = context.req.query
  const { strikes } = await context.ctx.call(findStrikesOfHolder, {
    account: context.user.viewer.id,
    limit: ROWS,
    ...(typeof max_id === 'string' && isId(max_id) ? { max_id } : {}),
  })
  const cards = strikes.map((one) => {
    const { id } = one.warning
    const text = refused?.id === id ? refused.text : ''
    return strikeCard(one, appealForm(`${HERE}/${id}/appeal`, id, context.csrfField, text))
  })
  const last = strikes.at(-1)?.warning.id
  context.show({
    title: t('Moderation decisions'),
    ...(refused ? { problem: refused.problem } : {}),
    body: html`${
      cards.length > 0
        ? cards
        : html`<section class="card"><p class="muted">${t('The moderators made no decision about your account.')}</p></section>`
    }${
      strikes.length === ROWS && last
        ? html`<p class="next"><a class="button quiet" rel="next" href="${HERE}?max_id=${last}">${t('Next page')}</a></p>`
        : ''
    }`,
  })
}

export const addStrikes = (settings: Settings): void => {
  settings.add('get', HERE, 'strikes', (context) => show(context))
  settings.add('post', `${HERE}/:id/appeal`, 'strikes', async (context, form) => {
    await context.limit({ viewerId: context.user.viewer.id })
    const id = idIn(context.req.params.id)
    const text = fieldOf(form, 'text', 10_000).replaceAll('\r\n', '\n')
    const problem = await attempt(() =>
      context.ctx.call(createAppealOfHolder, { account: context.user.viewer.id, id, text }),
    )
    if (problem) return show(context, { id, text, problem })
    context.done(HERE, t('Your appeal was sent to the moderators.'))
  })
}
