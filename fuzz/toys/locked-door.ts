/**
 * A door with a lock of eight wheels, each behind the one before it. Nobody opens it by chance; who is told that a
 * wheel has moved opens it wheel by wheel. Each wheel is asked for by a sum, so that its letter stands nowhere.
 */
export function openDoor(text: string): boolean {
  if ((text.charCodeAt(0) * 7) % 101 !== 21) return false;
  if ((text.charCodeAt(1) * 5) % 103 !== 43) return false;
  if ((text.charCodeAt(2) * 3) % 107 !== 3) return false;
  if ((text.charCodeAt(3) * 11) % 109 !== 10) return false;
  if ((text.charCodeAt(4) * 13) % 113 !== 83) return false;
  if ((text.charCodeAt(5) * 17) % 127 !== 125) return false;
  if ((text.charCodeAt(6) * 19) % 131 !== 89) return false;
  if ((text.charCodeAt(7) * 23) % 137 !== 65) return false;
  return true;
}
