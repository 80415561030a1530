/* orient_picture: why the side of a line cannot be left to plain floats.
 *
 *     cc examples/orient_picture.c -I. -o orient_picture && ./orient_picture picture.png
 *
 * 256 x 256 points as close together as floats are, beside the line through (12, 12) and (24, 24), which runs up the
 * diagonal: on the left what the formula says that everyone writes, on the right what cd_orient2d says. Blue is left of
 * the line, red right of it, grey on it. The experiment is that of Kettner, Mehlhorn, Pion, Schirra and Yap, "Classroom
 * examples of robustness problems in geometric computations" (2008), there with doubles. */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
#include <stdio.h>
#include <string.h>

enum { SIDE = 256, GAP = 8, WIDTH = 2 * SIDE + GAP, ROW = WIDTH / 4 + 1, BYTES = ROW * SIDE };

/* The formula for points p, q, r; volatile, so that every step is rounded to float wherever this is compiled. */
static int plain_sign(cd_vec2 p, cd_vec2 q, cd_vec2 r) {
    volatile float ux = (float)(q.x - p.x), uy = (float)(q.y - p.y);
    volatile float vx = (float)(r.x - p.x), vy = (float)(r.y - p.y);
    volatile float left = ux * vy, right = uy * vx, det = left - right;
    return (det > 0) - (det < 0);
}

static int exact_sign(cd_vec2 p, cd_vec2 q, cd_vec2 r) {
    double det = cd_orient2d(p, q, r);
    return (det > 0) - (det < 0);
}

/* ---- a PNG of four colours, not compressed ---- */

static unsigned char pixels[BYTES]; /* rows from the top: a zero, then four pixels a byte */

static void put_pixel(int x, int y, int color) {
    pixels[(SIDE - 1 - y) * ROW + 1 + x / 4] |= (unsigned char)(color << (6 - x % 4 * 2));
}

static unsigned char *put32(unsigned char *to, uint32_t value) {
    for (int i = 0; i < 4; ++i) to[i] = (unsigned char)(value >> (24 - 8 * i));
    return to + 4;
}

static void write_chunk(FILE *f, const char *name, const unsigned char *data, uint32_t size) {
    static unsigned char chunk[BYTES + 64];
    uint32_t crc = 0xFFFFFFFFu;
    memcpy(put32(chunk, size), name, 4);
    memcpy(chunk + 8, data, size);
    for (uint32_t i = 4; i < size + 8; ++i) {
        crc ^= chunk[i];
        for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    put32(chunk + 8 + size, ~crc);
    fwrite(chunk, 1, size + 12, f);
}

/* One block, stored as it is: its length, that turned over, the bytes, and their Adler checksum. */
static uint32_t deflate_pixels(unsigned char *to) {
    static const unsigned char head[7] = {
        0x78, 0x01, 1, BYTES & 255, BYTES >> 8, ~BYTES & 255, ~BYTES >> 8 & 255};
    uint32_t a = 1, b = 0;
    memcpy(to, head, 7);
    memcpy(to + 7, pixels, BYTES);
    for (int i = 0; i < BYTES; ++i) {
        a = (a + pixels[i]) % 65521;
        b = (b + a) % 65521;
    }
    put32(to + 7 + BYTES, b << 16 | a);
    return BYTES + 11;
}

static int write_picture(const char *name) {
    static const unsigned char colors[12] = {255, 255, 255, 40, 90, 170, 205, 205, 205, 190, 50, 40};
    static unsigned char packed[BYTES + 16];
    unsigned char header[13] = {0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 0, 0, 0}; /* 2 bits, from a table of colours */
    FILE *f = fopen(name, "wb");
    if (!f) return 1;
    put32(put32(header, WIDTH), SIDE);
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, f);
    write_chunk(f, "IHDR", header, 13);
    write_chunk(f, "PLTE", colors, 12);
    write_chunk(f, "IDAT", packed, deflate_pixels(packed));
    write_chunk(f, "IEND", header, 0);
    return fclose(f) != 0;
}

int main(int argc, char **argv) {
    const float step = 5.9604644775390625e-8f; /* 2^-24, from one float to the next at 0.5 */
    cd_vec2 q = cd_vec2_make(12, 12), r = cd_vec2_make(24, 24);
    int zero = 0, opposite = 0, wrong = 0;
    for (int j = 0; j < SIDE; ++j) {
        for (int i = 0; i < SIDE; ++i) {
            cd_vec2 p = cd_vec2_make((cd_real)(0.5f + (float)i * step), (cd_real)(0.5f + (float)j * step));
            int truth = (j > i) - (j < i); /* the determinant is 12 (y - x) */
            int plain = plain_sign(p, q, r), exact = exact_sign(p, q, r);
            zero += plain == 0 && truth != 0;
            opposite += plain != 0 && plain != truth;
            wrong += exact != truth;
            put_pixel(i, j, 2 - plain);
            put_pixel(SIDE + GAP + i, j, 2 - exact);
        }
    }
    printf("%d points one float apart, beside a line\n", SIDE * SIDE);
    printf("plain floats: %d wrong (%d on the line that are not, %d on the wrong side)\n", zero + opposite,
           zero, opposite);
    printf("cd_orient2d: %d wrong\n", wrong);
    return argc > 1 ? write_picture(argv[1]) : 0;
}
