/** Operation that returns the donation campaign that clients show to signed-in users. */
import { z } from 'zod'
import { get, operation, raw, user } from '../kit/index.js'

export const donationCampaign = operation('admin.donation.show', {
  http: get('/api/v1/donation_campaigns'),
  viewer: user(),
  input: z.object({}),
  output: raw('application/json; charset=utf-8'),
  about: 'The current donation campaign; always 204 without a body, because this server has none.',
})
