/**
 * Bot detection of the sign-up form: refuses forms in which a hidden field is filled in, or whose signed time of
 * loading is too recent or too old.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { derive } from '@murmuration/kernel'
import type { Context } from '../../context.js'
import { type Form, userField } from '../core/field.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'

/**
 * Minimum and maximum milliseconds between loading and submitting the form. Forms that are submitted earlier or later
 * are refused.
 */
const MIN_MS = 3_000
const MAX_MS = 86_400_000

export interface BotGuard {
  /** Returns the hidden fields of the sign-up form. */
  fields(): Html
  /** False if the form looks as if a bot submitted it. */
  passes(form: Form): boolean
}

export const createBotGuard = (ctx: Pick<Context, 'common' | 'clock'>): BotGuard => {
  const secret = derive(ctx.common, 'sign-up form')
  const sign = (time: string): Buffer => createHmac('sha256', secret).update(time).digest()
  return {
    fields() {
      const time = String(ctx.clock.now())
      return html`<input type="hidden" name="user[begun]" value="${`${time}.${sign(time).toString('base64url')}`}">
<div class="visually-hidden" aria-hidden="true"><label for="website">${t('Leave this empty')}</label><input id="website" type="text" name="user[website]" tabindex="-1" autocomplete="off"></div>`
    },
    passes(form) {
      const [time = '', given = ''] = userField(form, 'begun', 100).split('.')
      const signature = Buffer.from(given, 'base64url')
      const expected = sign(time)
      const age = ctx.clock.now() - Number(time)
      const genuine = signature.length === expected.length && timingSafeEqual(signature, expected)
      return genuine && age >= MIN_MS && age <= MAX_MS && userField(form, 'website') === ''
    },
  }
}
