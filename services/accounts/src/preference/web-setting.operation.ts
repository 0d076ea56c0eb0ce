/** Handler that replaces the stored settings of the web client for an account. */
import { changeWebSetting, WEB_SETTING_BYTES } from '@murmuration/contracts/accounts'
import { errorText, invalidField } from '@murmuration/contracts/kit'
import { handle } from '../handlers.js'
import { putWebSetting } from './web-setting.store.js'

export const change = handle(changeWebSetting, async (ctx, _viewer, { account, data }) => {
  const text = JSON.stringify(data)
  if (Buffer.byteLength(text) > WEB_SETTING_BYTES)
    throw invalidField(errorText('Data is too long (maximum is {most} bytes)', { most: WEB_SETTING_BYTES }))
  if (text.includes('\\u0000')) throw invalidField('Data contains a null character')
  await putWebSetting(ctx.db, account, text, ctx.clock.date())
  return {}
})
