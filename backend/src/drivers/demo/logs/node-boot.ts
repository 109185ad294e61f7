import type { DemoNode } from '../demo-node.js';
import type { LogScript } from './demo-log.js';

/** What a node of kind says of itself, and nothing more: its kubelet writes to the journal. */
export function bootScript({ name, role, address }: DemoNode): LogScript {
  return {
    start: [
      'INFO: running in a user namespace (experimental)',
      'INFO: ensuring we can execute mount/umount even with userns-remap',
      'INFO: remounting /sys read-only',
      'INFO: making mounts shared',
      'INFO: detected cgroup v2',
      'INFO: clearing and regenerating /etc/machine-id',
      'Initializing machine ID from random generator.',
      'INFO: faking /sys/class/dmi/id/product_name to be "kind"',
      'INFO: setting iptables to detected mode: nft',
      'INFO: Detected IPv4 address: ' + address,
      'INFO: starting init',
      'systemd 257.8-1~deb13u2 running in system mode (+PAM +AUDIT +SELINUX +APPARMOR +IMA +SMACK +SECCOMP)',
      'Detected virtualization docker.',
      'Detected architecture x86-64.',
      '',
      'Welcome to \u001b[1mDebian GNU/Linux 13 (trixie)\u001b[0m!',
      '',
      `Hostname set to <${name}>.`,
      '[\u001b[0;32m  OK  \u001b[0m] Created slice \u001b[0;1;39mkubelet.slice\u001b[0m - slice used to run Kubernetes / Kubelet.',
      '[\u001b[0;32m  OK  \u001b[0m] Listening on \u001b[0;1;39msystemd-journald.socket\u001b[0m - Journal Sockets.',
      '         Starting \u001b[0;1;39msystemd-journald.service\u001b[0m - Journal Service...',
      '[\u001b[0;32m  OK  \u001b[0m] Started \u001b[0;1;39msystemd-journald.service\u001b[0m - Journal Service.',
      '         Starting \u001b[0;1;39mcontainerd.service\u001b[0m - containerd container runtime...',
      '[\u001b[0;32m  OK  \u001b[0m] Started \u001b[0;1;39mcontainerd.service\u001b[0m - containerd container runtime.',
      ...(role === 'control-plane'
        ? [
            '[\u001b[0;32m  OK  \u001b[0m] Started \u001b[0;1;39mkubelet.service\u001b[0m - kubelet: The Kubernetes Node Agent.',
          ]
        : []),
      '[\u001b[0;32m  OK  \u001b[0m] Reached target \u001b[0;1;39mmulti-user.target\u001b[0m - Multi-User System.',
    ],
    seconds: null,
    say: () => [],
  };
}
