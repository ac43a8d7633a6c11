import { describe, expect, it } from 'vitest';
import {
  isAllowedAddress,
  isOwnNetwork,
} from '../../../../electron/service/sources/remote/addresses.ts';

const local = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254'],
  ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.1.1', '192.0.2.1', '198.18.0.1'],
  ...['::', '::1', '[::1]', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8'],
  ...['64:ff9b::7f00:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::'],
  ...['fc00::1', 'fd12::1', 'fe80::1', 'fec0::1', '3fff::1'],
];
const never = ['224.0.0.1', '240.0.0.1', '255.255.255.255', 'ff02::1', 'localhost', '', '1.2.3'];
const open = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'];

describe('an address', () => {
  it('of the public network is always allowed', () => {
    for (const address of open)
      expect([address, isAllowedAddress(address, false), isAllowedAddress(address, true)]).toEqual([
        address,
        true,
        true,
      ]);
  });

  it('of this machine or a private network is allowed only with allowLocalSources', () => {
    for (const address of local)
      expect([address, isAllowedAddress(address, false), isAllowedAddress(address, true)]).toEqual([
        address,
        false,
        true,
      ]);
  });

  it('that can be no host is never allowed', () => {
    for (const address of never)
      expect([address, isAllowedAddress(address, true)]).toEqual([address, false]);
  });
});

describe('the network that this machine stands in', () => {
  const own = [
    { family: 'IPv4', address: '8.8.4.4', cidr: '8.8.4.4/24' },
    { family: 'IPv6', address: '2a00:1450:1:2::5', cidr: '2a00:1450:1:2::5/64' },
    { family: 'IPv6', address: '2a00:9:9::5', cidr: '2a00:9:9::5/16' },
  ] as const;

  it('is its own address, and all of a network of IPv6', () => {
    for (const address of ['8.8.4.4', '2a00:1450:1:2::5', '2a00:1450:1:2:ffff::1', '2a00:9:9::6'])
      expect([address, isOwnNetwork(address, own)]).toEqual([address, true]);
    for (const address of ['8.8.4.5', '2a00:1450:1:3::5', '2a00:8::1', 'localhost', ''])
      expect([address, isOwnNetwork(address, own)]).toEqual([address, false]);
  });
});
