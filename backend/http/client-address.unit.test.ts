import { describe, expect, it } from 'vitest';
import { clientNetwork, clientNetworks, peerAddress } from './client-address.ts';

const SOCKET = '198.51.100.1';

describe('the address a proxy reports', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['192.0.2.1, 203.0.113.7', '203.0.113.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:4711', 'fe80::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:cb00:7107]:4711', '203.0.113.7'],
  ])('%s is %s', (header, address) => {
    expect(peerAddress(header, SOCKET)).toBe(address);
  });

  it.each(['', 'unknown', '_hidden', '203.0.113.7:99999', '203.0.113.256', '2001:db8::1::2', '[', '%'])(
    'that is none (%j) leaves the connection’s own',
    (header) => {
      expect(peerAddress(header, `::ffff:${SOCKET}`)).toBe(SOCKET);
    },
  );
});

describe('the networks a client is counted in', () => {
  it('are its address alone for IPv4', () => {
    expect(clientNetworks('203.0.113.7')).toEqual([{ name: '203.0.113.7', allowance: 1 }]);
    expect(clientNetwork('203.0.113.7')).toBe('203.0.113.7');
  });

  it('are the same for two addresses as far as these share their bits, however they are written', () => {
    const shared = (one: string, other: string) => {
      const names = clientNetworks(other).map(({ name }) => name);
      return clientNetworks(one).filter(({ name }) => names.includes(name)).length;
    };
    expect(shared('2001:db8:1:2ff::1', '2001:db8:1:2ff:5:6:7:8')).toBe(3);
    expect(shared('2001:db8:1:2ff::1', '2001:db8:1:201::1')).toBe(2);
    expect(shared('2001:db8:1:2ff::1', '2001:db8:1:3ff::1')).toBe(1);
    expect(shared('2001:db8:1:2ff::1', '2001:db8:2:2ff::1')).toBe(0);
    expect(shared('1::2:3:4:5:6', '1:0:0:2:9::')).toBe(3);
    expect(shared('::1', '0:0:0:0:1::')).toBe(3);
    expect(clientNetwork('2001:db8:1:2ff::1')).toBe(clientNetwork('2001:db8:1:200::9'));
    expect(clientNetwork('2001:db8:1:2ff::1')).not.toBe(clientNetwork('2001:db8:1:3ff::1'));
  });
});
