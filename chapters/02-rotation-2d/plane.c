/* Steps 1 to 3: a rotation as a matrix, as an angle and as a complex number. */
#include <math.h>

#include "chapters/02-rotation-2d/steps.h"

enum { ORBIT_STEPS = 60 };

/* Positions of a query and a key, as chapter 3 will call them. */
enum { M = 7, N = 3 };

enum status step_matrix(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    (void)error;
    struct rotation r = rotation_from_angle(s->theta);
    struct point q = rotation_apply(r, s->point);
    fprintf(out,
            "     [ cos  -sin ] [ x ]   [ %9.6f %9.6f ] [ %7g ]   [ %9.6g ]\n"
            "     [ sin   cos ] [ y ] = [ %9.6f %9.6f ] [ %7g ] = [ %9.6g ]\n\n"
            "   length before %.12g, after %.12g.  ./chapter2 --plot orbit\n",
            r.cosine, -r.sine, s->point.x, q.x, r.sine, r.cosine, s->point.y, q.y, rotation_norm(s->point),
            rotation_norm(q));
    return STATUS_OK;
}

static void print_rotation(FILE *out, const char *what, struct rotation r)
{
    fprintf(out, "     %-18s cos %10.7f   sin %10.7f   angle %10.7f\n", what, r.cosine, r.sine,
            rotation_angle(r));
}

enum status step_composition(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    (void)error;
    struct rotation m = rotation_from_angle(M * s->theta);
    struct rotation n = rotation_from_angle(N * s->theta);
    struct rotation back = rotation_inverse(n);
    fprintf(out, "   R_m: by m times theta. m = %d, n = %d; angles are shown within -pi .. pi.\n\n", M, N);
    print_rotation(out, "R_m", m);
    print_rotation(out, "R_n", n);
    print_rotation(out, "R_n R_m", rotation_compose(n, m));
    print_rotation(out, "R_(m+n)", rotation_from_angle((M + N) * s->theta));
    print_rotation(out, "R_n transposed", back);
    print_rotation(out, "R_n transposed R_n", rotation_compose(back, n));
    print_rotation(out, "R_n transposed R_m", rotation_compose(back, m));
    print_rotation(out, "R_(m-n)", rotation_from_angle((M - N) * s->theta));
    fprintf(out, "\n   The last two lines are RoPE: of m and n only the difference remains.\n");
    return STATUS_OK;
}

enum status step_complex(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    (void)error;
    struct rotation r = rotation_from_angle(s->theta);
    struct point matrix = rotation_apply(r, s->point);
    struct point product = rotation_apply_complex(r, s->point);
    fprintf(out,
            "   A point is x + iy, a rotation is e^(i theta) = cos + i sin:\n\n"
            "     (%.6f%+.6fi) (%g%+gi) = %.6f%+.6fi\n\n"
            "   Difference from the matrix: %.1g. Lengths multiply, angles add.\n",
            r.cosine, r.sine, s->point.x, s->point.y, product.x, product.y,
            fmax(fabs(matrix.x - product.x), fabs(matrix.y - product.y)));
    return STATUS_OK;
}

enum status data_orbit(void *settings, struct table *table, struct error *error)
{
    const struct settings *s = settings;
    (void)error;
    for (int step = 0; step <= ORBIT_STEPS; step++) {
        struct point p = rotation_apply(rotation_from_angle(step * s->theta), s->point);
        table_int(table, step);
        table_float(table, p.x);
        table_float(table, p.y);
        table_float(table, rotation_norm(p));
    }
    return STATUS_OK;
}
