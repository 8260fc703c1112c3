import { describe, expect, test } from 'vitest'
import { headersOf, invalid, jsonHeaders, shapeB } from '../helpers/answers.ts'
import { startSandbox, type CallApi } from '../helpers/sandbox.ts'

const path = '/v2/rewards/rewards_categories'

/** The product with texts in both languages. */
const harbor = { key: 'sk_sandbox_multi', headers: { 'x-service-merchant-key': 'mk_harbor' } }

const english = {
  currency: 'USD',
  categories: [
    {
      name: 'Gas stations',
      description: '3% cash back on fuel.',
      earn_rate: '0.030',
      type: 'MERCHANT',
      merchants: ['Coastline Fuel', 'Highway Stop'],
    },
    {
      name: 'Online shopping',
      description: '2% cash back in online shops.',
      earn_rate: '0.020',
      type: 'MERCHANT',
      merchants: ['Parcel Lane', 'Bookshelf Online'],
    },
    {
      name: 'Everything else',
      description: '1.5% cash back on every other purchase.',
      earn_rate: '0.015',
      type: 'BASE',
      merchants: [],
    },
  ],
  special_categories: [
    { name: 'Welcome bonus', description: '$200 after the first purchase.', type: 'SIGNUP_BONUS' },
  ],
}

const spanish = {
  ...english,
  categories: [
    { ...english.categories[0], name: 'Gasolineras', description: '3 % de reembolso en combustible.' },
    {
      ...english.categories[1],
      name: 'Compras en línea',
      description: '2 % de reembolso en tiendas en línea.',
    },
    {
      ...english.categories[2],
      name: 'Todo lo demás',
      description: '1,5 % de reembolso en cualquier otra compra.',
    },
  ],
  special_categories: [
    { name: 'Bono de bienvenida', description: '200 $ después de la primera compra.', type: 'SIGNUP_BONUS' },
  ],
}

describe('listing the reward categories of the product', () => {
  test('the whole answer, in display order', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', path, harbor)
    expect([answer.status, answer.json]).toEqual([200, english])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', []))
  })

  test('each product has its own', async () => {
    const { call } = await startSandbox()
    const summit = await call('GET', path)
    expect(summit.json.currency).toBe('POINTS')
    expect(
      summit.json.categories.map(({ name, earn_rate }: Record<string, string>) => [name, earn_rate]),
    ).toEqual([
      ['Dining', '3.00'],
      ['Travel', '2.00'],
      ['Groceries', '1.50'],
      ['Everything else', '1.00'],
    ])
    expect(summit.json.special_categories.map(({ name }: { name: string }) => name)).toEqual([
      'Welcome bonus',
      'Refer a friend',
    ])
  })

  test('the live configuration: a changed product -> the next read shows it', async () => {
    const { call, state } = await startSandbox()
    const { rewards } = state.get('products', 'mk_summit') as { rewards: object }
    state.put('products', 'mk_summit', {
      name: 'Summit',
      rewards: { ...rewards, currency: 'MILES', categories: [], special_categories: [] },
    })
    expect((await call('GET', path)).json).toEqual({
      currency: 'MILES',
      categories: [],
      special_categories: [],
    })
  })

  test('case 96: a reward whose id is rewards_categories -> the path is still that of the categories', async () => {
    const { call, state } = await startSandbox()
    const before = await call('GET', path)
    state.put('rewards', 'rewards_categories', {
      customer_id: 'cus_ada',
      amount: 1,
      type: 'OFFER',
      status: 'PENDING',
    })
    const answer = await call('GET', path)
    expect([answer.status, answer.text]).toEqual([200, before.text])
  })

  test.each([
    ['PATCH', { status: 'AVAILABLE' }],
    ['PATCH', {}],
    ['POST', {}],
    ['PUT', {}],
    ['DELETE', undefined],
  ])('case 97: %s %j -> 405 with Allow, and a reward of that id stays as it is', async (method, json) => {
    const { call, state } = await startSandbox()
    const row = { customer_id: 'cus_ada', amount: 1, type: 'OFFER', status: 'PENDING' } as const
    const before = state.put('rewards', 'rewards_categories', row)
    const answer = await call(method, path, { json })
    expect([answer.status, answer.json]).toEqual([
      405,
      shapeB('METHOD_NOT_ALLOWED_ERROR', 'This path has the methods GET, HEAD, OPTIONS.'),
    ])
    expect(headersOf(answer)).toEqual({
      ...jsonHeaders('req_default_1', []),
      allow: 'GET, HEAD, OPTIONS',
    })
    expect(state.get('rewards', 'rewards_categories')).toEqual(before)
  })

  test.each(['es', 'ES', 'es-MX', 'ES-mx', 'es-mx', 'es_MX', 'es-419', 'es-Latn-MX'])(
    'case 98: locale %s -> Spanish',
    async (locale) => {
      const { call } = await startSandbox()
      const answer = await call('GET', `${path}?locale=${locale}`, harbor)
      expect([answer.status, answer.json]).toEqual([200, spanish])
      expect(answer.assumptions).toEqual(['locale_parameter'])
    },
  )

  test.each([
    'en',
    'en-US',
    'fr',
    'pt-BR',
    '',
    'x',
    'esp',
    'est',
    'nes',
    'en-ES',
    '%20es',
    '%00',
    '%zz',
    '%FF',
    '__proto__',
    'constructor',
    '%F0%9F%98%80',
    'e'.repeat(5e3),
    '%27%3B--',
    '../es',
  ])('case 98: locale %j -> English, never 400', async (locale) => {
    const { call } = await startSandbox()
    const answer = await call('GET', `${path}?locale=${locale}`, harbor)
    expect([answer.status, answer.json]).toEqual([200, english])
  })

  test('a product with texts in one language -> these for every locale', async () => {
    const { call } = await startSandbox()
    expect((await call('GET', `${path}?locale=es`)).json).toEqual((await call('GET', path)).json)
  })

  test.each([
    ['1.50', 2, '1.50'],
    ['1.5', 2, '1.50'],
    ['1.5', 3, '1.500'],
    ['3', 2, '3.00'],
    ['3', 0, '3'],
    ['0', 4, '0.0000'],
    ['0.015', 3, '0.015'],
    ['0.00000001', 8, '0.00000001'],
    ['999999999999.99', 2, '999999999999.99'],
    ['007.5', 1, '007.5'],
    ['100', 0, '100'],
  ])('case 99: earn rate %s with a precision of %i -> the string %s', async (rate, precision, shown) => {
    const { call } = await startSandbox({ fixtures: { products: [product(rate, precision)] } })
    const { json } = await call('GET', path)
    expect(json.categories.map(({ earn_rate }: { earn_rate: unknown }) => earn_rate)).toEqual([shown])
  })

  test.each([
    ['1.50', 1, 'must have no more decimals than the precision of 1'],
    ['1.00', 0, 'must have no more decimals than the precision of 0'],
    [1.5, 2, 'must be a string'],
    ['-1', 2, 'must be a decimal string'],
    ['1e2', 2, 'must be a decimal string'],
    ['.5', 2, 'must be a decimal string'],
    ['1.', 2, 'must be a decimal string'],
  ])(
    'case 99: earn rate %j with a precision of %i -> refused when it is read',
    async (rate, precision, message) => {
      await expect(startSandbox({ fixtures: { products: [product(rate, precision)] } })).rejects.toThrow(
        message,
      )
    },
  )

  function product(earnRate: unknown, precision: number) {
    return {
      merchant_key: 'mk_summit',
      rewards: {
        currency: 'POINTS',
        precision,
        categories: [
          { name: 'All', description: 'All.', earn_rate: earnRate as string, type: 'BASE', merchants: [] },
        ],
      },
    }
  }
})

describe('assumptions of the reward categories', () => {
  const names = ['locale', 'language', 'lang']
  const languageUnder = async (call: CallApi, name: string) => {
    const answer = await call('GET', `${path}?${name}=es`, harbor)
    return [name, answer.json.categories[0].name, answer.assumptions]
  }

  test.each([
    [undefined, 'locale'],
    ['locale', 'locale'],
    ['language', 'language'],
    ['lang', 'lang'],
  ])('locale_parameter=%s -> read under %s and no other name', async (value, read) => {
    const { call } = await startSandbox({ assume: value === undefined ? {} : { locale_parameter: value } })
    for (const name of names) {
      expect(await languageUnder(call, name)).toEqual(
        name === read
          ? [name, 'Gasolineras', ['locale_parameter']]
          : [name, 'Gas stations', ['unknown_query_parameters', 'locale_parameter']],
      )
    }
  })

  test('locale twice -> 400 of shape A', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', `${path}?locale=es&locale=en`, harbor)
    expect([answer.status, answer.json]).toEqual([
      400,
      invalid(path, 'locale: must not be sent more than once'),
    ])
  })

  test('texts of a product in one language -> the same in Spanish, resting on nothing', async () => {
    const summit = '/v2/rewards/rewards_categories'
    const { call } = await startSandbox()
    const [plain, inSpanish] = [await call('GET', summit), await call('GET', `${summit}?locale=es`)]
    expect([inSpanish.status, inSpanish.text]).toEqual([200, plain.text])
    expect(inSpanish.assumptions).toEqual([])
  })
})
