import { describe, expect, it } from '@jest/globals';
import { distributionOf } from './distribution.js';

describe('distributionOf', () => {
  it.each([
    ['kind-shop', 'https://127.0.0.1:40000', 'kind'],
    ['k3d-shop', 'https://0.0.0.0:6443', 'k3d'],
    ['minikube', null, 'minikube'],
    ['docker-desktop', null, 'Docker Desktop'],
    ['docker-for-desktop', null, 'Docker Desktop'],
    ['rancher-desktop', null, 'Rancher Desktop'],
    ['colima', null, 'Colima'],
    ['colima-work', null, 'Colima'],
    ['orbstack', null, 'OrbStack'],
    ['microk8s', null, 'MicroK8s'],
    ['gke_shop_europe-west3_prod', 'https://34.89.1.2', 'GKE'],
    ['arn:aws:eks:eu-west-1:123456789012:cluster/shop', null, 'EKS'],
    ['arn:aws-cn:eks:cn-north-1:123456789012:cluster/shop', null, 'EKS'],
    ['shop', 'https://ABC.gr7.eu-west-1.eks.amazonaws.com', 'EKS'],
    ['shop', 'https://shop-1.hcp.westeurope.azmk8s.io:443', 'AKS'],
    ['do-fra1-shop', null, 'DigitalOcean'],
    ['shop', 'https://1.k8s.ondigitalocean.com', 'DigitalOcean'],
    ['minikube-old', null, null],
    ['my-k3d-shop', null, null],
    ['shop', 'https://azmk8s.io.example', null],
    ['colimax', null, null],
  ])('calls context %s at %s %s', (context, server, distribution) => {
    expect(distributionOf(context, server === null ? null : new URL(server))).toBe(distribution);
  });
});
