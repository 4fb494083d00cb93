/** Where numbers with a prefix are. */
export interface Locality {
  readonly prefix: string;
  readonly locality: string;
  /** Two letters. */
  readonly region: string;
  readonly country: string;
  readonly postalCode: string;
  readonly latitude: string;
  readonly longitude: string;
}

const row = (
  prefix: string,
  locality: string,
  region: string,
  country: string,
  postalCode: string,
  latitude: string,
  longitude: string,
): Locality => ({ prefix, locality, region, country, postalCode, latitude, longitude });

/** The sandbox's own table: some area codes, enough to try the look-up with. */
const localities: readonly Locality[] = [
  row('+1202', 'Washington', 'DC', 'US', '20004', '38.8951', '-77.0364'),
  row('+1206', 'Seattle', 'WA', 'US', '98104', '47.6038', '-122.3301'),
  row('+1212', 'New York', 'NY', 'US', '10007', '40.7143', '-74.0060'),
  row('+1213', 'Los Angeles', 'CA', 'US', '90012', '34.0522', '-118.2437'),
  row('+1303', 'Denver', 'CO', 'US', '80202', '39.7392', '-104.9847'),
  row('+1305', 'Miami', 'FL', 'US', '33130', '25.7743', '-80.1937'),
  row('+1312', 'Chicago', 'IL', 'US', '60602', '41.8500', '-87.6500'),
  row('+1404', 'Atlanta', 'GA', 'US', '30303', '33.7490', '-84.3880'),
  row('+1415', 'San Francisco', 'CA', 'US', '94102', '37.7749', '-122.4194'),
  row('+1416', 'Toronto', 'ON', 'CA', 'M5H 2N2', '43.7001', '-79.4163'),
  row('+1512', 'Austin', 'TX', 'US', '78701', '30.2672', '-97.7431'),
  row('+1514', 'Montreal', 'QC', 'CA', 'H2Y 1C6', '45.5088', '-73.5878'),
  row('+1555', 'Springfield', 'IL', 'US', '62701', '39.7990', '-89.6440'),
  row('+1604', 'Vancouver', 'BC', 'CA', 'V5Y 1V4', '49.2497', '-123.1193'),
  row('+1617', 'Boston', 'MA', 'US', '02108', '42.3584', '-71.0598'),
  row('+1702', 'Las Vegas', 'NV', 'US', '89101', '36.1750', '-115.1372'),
  row('+1713', 'Houston', 'TX', 'US', '77002', '29.7633', '-95.3633'),
  row('+3120', 'Amsterdam', 'NL', 'NL', '1011', '52.3740', '4.8897'),
  row('+331', 'Paris', 'FR', 'FR', '75001', '48.8534', '2.3488'),
  row('+4143', 'Zurich', 'CH', 'CH', '8001', '47.3667', '8.5500'),
  row('+4144', 'Zurich', 'CH', 'CH', '8001', '47.3667', '8.5500'),
  row('+4420', 'London', 'GB', 'GB', 'SW1A', '51.5085', '-0.1257'),
  row('+4930', 'Berlin', 'DE', 'DE', '10178', '52.5244', '13.4105'),
  row('+4989', 'Munich', 'DE', 'DE', '80331', '48.1374', '11.5755'),
];

/** Where a number is, by its first digits; `undefined` where the table does not know. */
export const localityOf = (e164: string): Locality | undefined =>
  localities.find(({ prefix }) => e164.startsWith(prefix));
