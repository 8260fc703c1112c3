// Places: cities of the US with state, ZIP code and telephone area code that fit together.

/** City, state, the first three digits of its ZIP codes, a telephone area code. */
type City = readonly [city: string, state: string, zip: string, area: string]

export const cities: readonly [City, ...City[]] = [
  ['Albuquerque', 'NM', '871', '505'], ['Atlanta', 'GA', '303', '404'], ['Austin', 'TX', '787', '512'],
  ['Baltimore', 'MD', '212', '410'], ['Boise', 'ID', '837', '208'], ['Boston', 'MA', '021', '617'],
  ['Buffalo', 'NY', '142', '716'], ['Charlotte', 'NC', '282', '704'], ['Chicago', 'IL', '606', '312'],
  ['Cleveland', 'OH', '441', '216'], ['Columbus', 'OH', '432', '614'], ['Dallas', 'TX', '752', '214'],
  ['Denver', 'CO', '802', '303'], ['Des Moines', 'IA', '503', '515'], ['Detroit', 'MI', '482', '313'],
  ['Fresno', 'CA', '937', '559'], ['Hartford', 'CT', '061', '860'], ['Honolulu', 'HI', '968', '808'],
  ['Houston', 'TX', '770', '713'], ['Indianapolis', 'IN', '462', '317'],
  ['Jacksonville', 'FL', '322', '904'], ['Kansas City', 'MO', '641', '816'],
  ['Las Vegas', 'NV', '891', '702'], ['Los Angeles', 'CA', '900', '213'],
  ['Louisville', 'KY', '402', '502'], ['Madison', 'WI', '537', '608'], ['Memphis', 'TN', '381', '901'],
  ['Miami', 'FL', '331', '305'], ['Minneapolis', 'MN', '554', '612'], ['Nashville', 'TN', '372', '615'],
  ['New Orleans', 'LA', '701', '504'], ['New York', 'NY', '100', '212'],
  ['Oklahoma City', 'OK', '731', '405'], ['Omaha', 'NE', '681', '402'], ['Orlando', 'FL', '328', '407'],
  ['Philadelphia', 'PA', '191', '215'], ['Phoenix', 'AZ', '850', '602'], ['Pittsburgh', 'PA', '152', '412'],
  ['Portland', 'OR', '972', '503'], ['Providence', 'RI', '029', '401'], ['Raleigh', 'NC', '276', '919'],
  ['Richmond', 'VA', '232', '804'], ['Sacramento', 'CA', '958', '916'],
  ['Salt Lake City', 'UT', '841', '801'], ['San Antonio', 'TX', '782', '210'],
  ['San Diego', 'CA', '921', '619'], ['San Francisco', 'CA', '941', '415'], ['Seattle', 'WA', '981', '206'],
  ['St. Louis', 'MO', '631', '314'], ['Tampa', 'FL', '336', '813'],
] // prettier-ignore
